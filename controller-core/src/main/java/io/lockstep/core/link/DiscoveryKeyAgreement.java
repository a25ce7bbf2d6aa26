package io.lockstep.core.link;

import io.lockstep.core.state.Alarm;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
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
  public static final String TABLE = "net.discovery";

  private static final Logger log = LoggerFactory.getLogger(DiscoveryKeyAgreement.class);
  private static final Bytes KEY = Bytes.utf8("lldp");
  private static final int FORMAT = 1;
  private static final long RETRY_MILLIS = 300;

  private final StoreClient store;
  private final Alarm alarm;
  private final Bytes proposal;

  /**
   * An agreement not yet asked for.
   *
   * @param random a secure generator in a real node
   * @param alarm used to ask again
   */
  public DiscoveryKeyAgreement(StoreClient store, RandomGenerator random, Alarm alarm) {
    this.store = store;
    this.alarm = alarm;
    byte[] secret = new byte[DiscoveryKey.SECRET_BYTES];
    random.nextBytes(secret);
    this.proposal = encode(new DiscoveryKey(random.nextLong(), secret));
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

  /** Hands over the key once it is agreed, on the store client's loop. */
  public void agree(Consumer<DiscoveryKey> then) {
    store
        .submit(new Command.PutIfAbsent(TABLE, KEY, proposal))
        .thenAccept(
            reply -> {
              if (reply instanceof Reply.Applied) {
                then.accept(decode(proposal));
              } else if (reply instanceof Reply.Conflict existing) {
                then.accept(decode(existing.value()));
              } else {
                log.debug("no discovery key yet: {}", reply);
                alarm.after(RETRY_MILLIS, () -> agree(then));
              }
            });
  }
}
