package io.lockstep.apps.loadbalancer.state;

import io.lockstep.apps.loadbalancer.state.ConnectionAnswer.Status;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Micro component {@code load-balancer.return}: the connection to which a packet from a member
 * belongs. The packet goes to the client, or to the virtual IP where that talks to the member
 * ({@link TranslateSource}).
 *
 * <p>Argument: format (1 byte), destination IP (4) and port (2), protocol (1), source IP (4) and
 * port (2). Result: {@link ConnectionAnswer}.
 */
public final class FindReturn implements MicroComponent {

  /** The component's name. */
  public static final String NAME = "load-balancer.return";

  private static final int FORMAT = 1;
  private static final int PREFIX_AT = 1;
  private static final int SOURCE_AT = PREFIX_AT + ConnectionKey.PREFIX_BYTES;
  private static final int ARGUMENT_BYTES = SOURCE_AT + 6;

  /** The call for one packet from a member. */
  public static Command command(
      TransportProtocol protocol,
      int sourceIp,
      int sourcePort,
      int destinationIp,
      int destinationPort) {
    return new Command.Call(
        NAME,
        new ByteWriter(ARGUMENT_BYTES)
            .int8(FORMAT)
            .int32(destinationIp)
            .int16(destinationPort)
            .int8(protocol.number())
            .int32(sourceIp)
            .int16(sourcePort)
            .toBytes());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    if (argument.length() != ARGUMENT_BYTES || argument.at(0) != FORMAT) {
      throw new Refusal("no packet of a member of format " + FORMAT);
    }
    Bytes prefix = Bytes.wrap(Arrays.copyOfRange(argument.shared(), PREFIX_AT, SOURCE_AT));
    ByteReader in = new ByteReader(argument);
    in.skip(SOURCE_AT);
    int ip = in.int32();
    int port = in.uint16();
    Bytes key = ofClient(transaction, prefix, ip, port);
    if (key == null) {
      key = translated(transaction, prefix, ip, port);
    }
    ConnectionRecord record = key == null ? null : Connections.get(transaction, key);
    if (key == null || record == null) {
      return ConnectionAnswer.without(Status.NO_RECORD);
    }
    VirtualIp vip = Connections.virtualIp(transaction, ConnectionKey.serviceOf(key));
    if (vip == null
        || Connections.isExpired(transaction, record, vip.idleSeconds())
        || !Connections.keeps(transaction, vip.pool(), record)) {
      return ConnectionAnswer.without(Status.NO_RECORD);
    }
    Connections.seen(transaction, key, record, vip.idleSeconds());
    return ConnectionAnswer.of(Status.KEPT, key, record, vip.idleSeconds());
  }

  /** The connection of a client port to the member that was seen last, over all virtual IPs. */
  private static @Nullable Bytes ofClient(Transaction transaction, Bytes prefix, int ip, int port) {
    Bytes key = null;
    long least = Long.MAX_VALUE;
    long now = BalancerTables.nowSeconds(transaction);
    for (Entry entry : Connections.between(transaction, prefix, ip, port)) {
      long silent = ConnectionRecord.of(entry.value()).silentSeconds(now);
      if (silent < least) {
        least = silent;
        key = entry.key();
      }
    }
    return key;
  }

  private static @Nullable Bytes translated(
      Transaction transaction, Bytes prefix, int ip, int port) {
    ByteReader in = new ByteReader(prefix);
    int virtualIp = in.int32();
    int sourcePort = in.uint16();
    TransportProtocol protocol = TransportProtocol.ofNumber(in.uint8());
    if (protocol == null) {
      return null;
    }
    SourceTranslation translation =
        new SourceTranslation(protocol, virtualIp, sourcePort, ip, port);
    Entry entry = transaction.get(BalancerTables.TRANSLATIONS, translation.bytes());
    return entry == null ? null : entry.value();
  }
}
