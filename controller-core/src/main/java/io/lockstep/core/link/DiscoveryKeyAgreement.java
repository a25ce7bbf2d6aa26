package io.lockstep.core.link;

import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.core.state.Alarm;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.logging.BoundedLog;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Failure;
import io.lockstep.store.typed.ReadResult;
import io.lockstep.store.typed.ReadResult.NotRead;
import io.lockstep.store.typed.ReadResult.Read;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.TableDef;
import io.lockstep.store.typed.TypedTable;
import io.lockstep.store.typed.Versioned;
import io.lockstep.store.typed.WriteOutcome;
import io.lockstep.store.typed.WriteResult;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Agrees on the cluster's {@link DiscoveryKey} through the store: the first node writes a random
 * one, all others take it. Asks again until the store has answered.
 */
public final class DiscoveryKeyAgreement {

  /** The table of the key. */
  public static final TableDef<String, DiscoveryKey> TABLE =
      TableDef.of(
          "net.discovery",
          Codec.utf8(),
          Codec.of(DiscoveryKeyAgreement::encode, DiscoveryKeyAgreement::decode));

  private static final Logger log = LoggerFactory.getLogger(DiscoveryKeyAgreement.class);
  private static final BoundedLog bounded = BoundedLog.of(DiscoveryKeyAgreement.class);
  private static final String KEY = "lldp";
  private static final int FORMAT = 1;
  private static final long RETRY_MILLIS = 300;

  private final TypedTable<String, DiscoveryKey> table;
  private final Alarm alarm;
  private final DiscoveryKey proposal;

  /**
   * An agreement not yet asked for.
   *
   * @param random a secure generator in a real node
   * @param alarm used to ask again
   */
  public DiscoveryKeyAgreement(Store store, RandomGenerator random, Alarm alarm) {
    this.table = store.table(TABLE);
    this.alarm = alarm;
    byte[] secret = new byte[DiscoveryKey.SECRET_BYTES];
    random.nextBytes(secret);
    this.proposal = new DiscoveryKey(random.nextLong(), secret);
  }

  static Bytes encode(DiscoveryKey key) {
    return new ByteWriter()
        .int8(FORMAT)
        .int64(key.clusterId())
        .bytes(Bytes.wrap(key.secret()))
        .toBytes();
  }

  static DiscoveryKey decode(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "discovery key");
    DiscoveryKey key = new DiscoveryKey(in.int64(), in.bytes(DiscoveryKey.SECRET_BYTES).toArray());
    in.end();
    return key;
  }

  /**
   * Hands over the key once it is agreed, on the store client's loop. Asking again after an unknown
   * outcome is safe: the entry keeps the key that was written first.
   */
  public void agree(Consumer<DiscoveryKey> then) {
    logFailure(
        "agreeing on the discovery key",
        table.putIfAbsent(KEY, proposal).thenAccept(outcome -> answered(outcome, then)));
  }

  private void answered(WriteOutcome<Long> outcome, Consumer<DiscoveryKey> then) {
    outcome.handle(result -> settled(result, then), unknown -> askAgain(unknown, then));
  }

  private void settled(WriteResult<Long> result, Consumer<DiscoveryKey> then) {
    ReadResult<DiscoveryKey> agreed =
        result.fold(written -> new Read<>(proposal), this::present, NotRead::new);
    agreed.ifRead(
        then,
        failure -> {
          if (failure.cause() == Failure.Cause.UNDECODABLE) {
            bounded.warn(KEY, "cannot look for links: {}", failure.message());
          }
          askAgain(failure.message(), then);
        });
  }

  private ReadResult<DiscoveryKey> present(WriteResult.Conflict<Long> conflict) {
    return table.value(conflict.present().orElseThrow()).map(Versioned::value);
  }

  private void askAgain(String why, Consumer<DiscoveryKey> then) {
    log.debug("no discovery key yet: {}", why);
    alarm.after(RETRY_MILLIS, () -> agree(then));
  }
}
