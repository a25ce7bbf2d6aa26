package io.lockstep.apps.loadbalancer.state;

import io.lockstep.apps.loadbalancer.state.ConnectionAnswer.Status;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteWriter;
import java.util.Arrays;

/**
 * Micro component {@code load-balancer.translate}: lets the virtual IP talk to the member of a
 * connection, from a source port that no other connection has towards this member. It is the
 * client's own port where that is free, else one of the {@link #TRIES} that follow.
 *
 * <p>Argument: format (1 byte), {@link ConnectionKey} (13). Result: {@link ConnectionAnswer}.
 */
public final class TranslateSource implements MicroComponent {

  /** The component's name. */
  public static final String NAME = "load-balancer.translate";

  /** Ports that are looked at; so a call stays short. */
  static final int TRIES = 256;

  private static final int FORMAT = 1;
  private static final int ARGUMENT_BYTES = 1 + ConnectionKey.BYTES;

  /** Lower ones are for well-known services. */
  private static final int LEAST_PORT = 1_024;

  private static final int PORTS = 0x1_0000 - LEAST_PORT;

  /** The call for a connection that has taken its member. */
  public static Command command(ConnectionKey key) {
    ByteWriter out = new ByteWriter(ARGUMENT_BYTES).int8(FORMAT);
    return new Command.Call(NAME, key.write(out).toBytes());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    if (argument.length() != ARGUMENT_BYTES || argument.at(0) != FORMAT) {
      throw new Refusal("no connection of format " + FORMAT);
    }
    Bytes bytes = Bytes.wrap(Arrays.copyOfRange(argument.shared(), 1, ARGUMENT_BYTES));
    ConnectionRecord record = Connections.get(transaction, bytes);
    VirtualIp vip = Connections.virtualIp(transaction, ConnectionKey.serviceOf(bytes));
    if (record == null || vip == null) {
      return ConnectionAnswer.without(Status.NO_RECORD);
    }
    if (record.sourcePort() != 0) {
      return ConnectionAnswer.of(Status.KEPT, bytes, record, vip.idleSeconds());
    }
    ConnectionKey key = ConnectionKey.of(bytes);
    int first = Math.max(key.clientPort(), LEAST_PORT) - LEAST_PORT;
    for (int i = 0; i < TRIES; i++) {
      ConnectionRecord translated = record.from(LEAST_PORT + (first + i) % PORTS);
      Bytes translation = SourceTranslation.of(key, translated).bytes();
      if (transaction.get(BalancerTables.TRANSLATIONS, translation) == null) {
        transaction.put(BalancerTables.TRANSLATIONS, translation, bytes);
        transaction.put(BalancerTables.CONNECTIONS, bytes, translated.bytes());
        return ConnectionAnswer.of(Status.KEPT, bytes, translated, vip.idleSeconds());
      }
    }
    Connections.remove(transaction, bytes, record);
    return ConnectionAnswer.without(Status.NO_PORT);
  }
}
