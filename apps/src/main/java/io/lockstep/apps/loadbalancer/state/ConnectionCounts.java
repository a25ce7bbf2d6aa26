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

  /**
   * The counts that a connection is part of, as they are before it is added.
   *
   * @param ofClient connections of its client
   * @param ofService connections of its service
   * @param ofPort connections of its service's clients at one port
   */
  record Held(List<Bytes> keys, long ofClient, long ofService, long ofPort) {
    /** Counts a connection that these counts were read for. */
    void add(Transaction transaction) {
      put(transaction, 0, ofClient);
      put(transaction, 1, ofService);
      put(transaction, 2, ofPort);
    }

    /** As {@link Transaction#increment}, without reading the count again. */
    private void put(Transaction transaction, int key, long before) {
      Bytes value = new ByteWriter(Long.BYTES).int64(before + 1).toBytes();
      transaction.put(BalancerTables.COUNTS, keys.get(key), value);
    }
  }

  /** Reads what is counted with a connection. */
  static Held held(Transaction transaction, Bytes connection, IngressPort ingress) {
    List<Bytes> keys = keys(connection, ingress);
    return new Held(
        keys,
        count(transaction, keys.get(0)),
        count(transaction, keys.get(1)),
        count(transaction, keys.get(2)));
  }

  private static Bytes client(Bytes connection) {
    return Bytes.wrap(Arrays.copyOf(connection.shared(), CLIENT_BYTES));
  }

  private static long count(Transaction transaction, Bytes key) {
    Entry entry = transaction.get(BalancerTables.COUNTS, key);
    return entry == null ? 0 : entry.value().longWordAt(0);
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
