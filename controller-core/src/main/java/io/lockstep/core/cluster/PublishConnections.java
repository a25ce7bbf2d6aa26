package io.lockstep.core.cluster;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Micro component {@code cluster.connected}: replaces what a node said of its connections by what
 * it says now, under the caller's session. Entries that stay as they are get no new version, so
 * that watchers hear of differences only.
 */
public final class PublishConnections implements MicroComponent {

  /** The component's name. */
  public static final String NAME = "cluster.connected";

  /** Switches that one node is connected to at most. */
  public static final int MAX_SWITCHES = 10_000;

  private static final int FORMAT = 1;
  private static final ConnectionTable CONNECTIONS = new ConnectionTable();

  /** The command; {@code dpids} are all switches that the node is connected to. */
  public static Command command(String node, Collection<Long> dpids) {
    if (dpids.size() > MAX_SWITCHES) {
      throw new IllegalArgumentException(
          dpids.size() + " switches connected, at most " + MAX_SWITCHES + " are allowed");
    }
    ByteWriter out =
        new ByteWriter(80 + 8 * dpids.size()).int8(FORMAT).utf8(node).varint(dpids.size());
    dpids.forEach(out::int64);
    return new Command.Call(NAME, out.toBytes());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    ByteReader in = new ByteReader(argument);
    in.version(FORMAT, "connections");
    String node = in.utf8(NodeTable.MAX_NODE_BYTES);
    int count = in.count(MAX_SWITCHES, Long.BYTES);
    Set<Bytes> missing = new HashSet<>();
    long[] dpids = new long[count];
    for (int i = 0; i < count; i++) {
      dpids[i] = in.int64();
      missing.add(key(node, dpids[i]));
    }
    in.end();
    if (!transaction.sessionAlive(transaction.callerSession())) {
      throw new Refusal("the session of " + node + " has ended");
    }
    Bytes value = CONNECTIONS.encodeValue(transaction.callerSession());
    for (Entry entry :
        transaction.scan(
            ConnectionTable.NAME,
            ConnectionTable.from(node),
            ConnectionTable.to(node),
            MAX_SWITCHES)) {
      if (!missing.contains(entry.key())) {
        transaction.remove(ConnectionTable.NAME, entry.key());
      } else if (entry.value().equals(value)) {
        missing.remove(entry.key());
      }
    }
    // In the order of the argument: a set's order is not the same on all replicas.
    for (long dpid : dpids) {
      if (missing.remove(key(node, dpid))) {
        transaction.put(ConnectionTable.NAME, key(node, dpid), value);
      }
    }
    return Bytes.empty();
  }

  private static Bytes key(String node, long dpid) {
    return CONNECTIONS.encodeKey(new ConnectionTable.Key(node, dpid));
  }
}
