package io.lockstep.apps.loadbalancer.state;

import io.lockstep.core.app.TableRange;
import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteWriter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * How many connections are remembered of each client IP (key: its first 4 bytes of {@link
 * ConnectionKey}), of each service (key: its 7 bytes), and of each service's clients at one port
 * (key: {@link #OF_PORTS}, service, {@link IngressPort}). Invariant: a count is the number of
 * records; a count of zero has no entry.
 */
public final class ConnectionCounts {
  /** Where the counts of services are, beside those of clients in 6.0.0.0/8 and 17.0.0.0/8. */
  public static final List<TableRange> OF_SERVICES =
      Stream.of(TransportProtocol.values())
          .map(
              protocol ->
                  TableRange.prefix(
                      BalancerTables.COUNTS, new ByteWriter(1).int8(protocol.number()).toBytes()))
          .toList();

  /** Begins the keys of ports: no protocol, so it is apart from {@link #OF_SERVICES}. */
  static final int OF_PORTS = 0xff;

  private static final int CLIENT_BYTES = 4;

  private ConnectionCounts() {}

  private static Bytes client(Bytes connection) {
    return Bytes.wrap(Arrays.copyOf(connection.shared(), CLIENT_BYTES));
  }

  private static long count(Transaction transaction, Bytes key) {
    Entry entry = transaction.get(BalancerTables.COUNTS, key);
    return entry == null ? 0 : entry.value().longWordAt(0);
  }

  static long ofService(Transaction transaction, Bytes service) {
    return count(transaction, service);
  }

  static long ofClient(Transaction transaction, Bytes connection) {
    return count(transaction, client(connection));
  }

  static long ofPort(Transaction transaction, Bytes service, IngressPort ingress) {
    return count(transaction, ingress.countKey(service));
  }

  static void add(Transaction transaction, Bytes connection, IngressPort ingress) {
    for (Bytes key : keys(connection, ingress)) {
      transaction.increment(BalancerTables.COUNTS, key, 1);
    }
  }

  static void remove(Transaction transaction, Bytes connection, IngressPort ingress) {
    for (Bytes key : keys(connection, ingress)) {
      decrement(transaction, key);
    }
  }

  private static List<Bytes> keys(Bytes connection, IngressPort ingress) {
    Bytes service = ConnectionKey.serviceOf(connection);
    return List.of(client(connection), service, ingress.countKey(service));
  }

  private static void decrement(Transaction transaction, Bytes key) {
    if (transaction.increment(BalancerTables.COUNTS, key, -1) <= 0) {
      transaction.remove(BalancerTables.COUNTS, key);
    }
  }
}
