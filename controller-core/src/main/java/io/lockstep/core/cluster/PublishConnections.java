package io.lockstep.core.cluster;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Component;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Micro component {@code cluster.connected}: replaces what a node said of its connections by what
 * it says now, under the caller's session. Entries that stay as they are get no new version, so
 * that watchers hear of differences only.
 */
public final class PublishConnections implements MicroComponent {

  /** Switches that one node is connected to at most. */
  public static final int MAX_SWITCHES = 10_000;

  private static final int FORMAT = 1;
  private static final ConnectionTable CONNECTIONS = new ConnectionTable();

  /** Called by the client whose session is the node's. Returns nothing. */
  public static final Component<Connected, Bytes> COMPONENT =
      new Component<>(
          "cluster.connected", Codec.of(Connected::encode, Connected::decode), Codec.bytes());

  /**
   * What a node says.
   *
   * @param dpids all switches that the node is connected to, at most {@link #MAX_SWITCHES}
   */
  public record Connected(String node, List<Long> dpids) {
    public Connected {
      dpids = List.copyOf(dpids);
      if (dpids.size() > MAX_SWITCHES) {
        throw new IllegalArgumentException(
            dpids.size() + " switches connected, at most " + MAX_SWITCHES + " are allowed");
      }
    }

    private Bytes encode() {
      ByteWriter out =
          new ByteWriter(80 + 8 * dpids.size()).int8(FORMAT).utf8(node).varint(dpids.size());
      dpids.forEach(out::int64);
      return out.toBytes();
    }

    private static Connected decode(Bytes bytes) {
      ByteReader in = new ByteReader(bytes);
      in.version(FORMAT, "connections");
      String node = in.utf8(NodeTable.MAX_NODE_BYTES);
      int count = in.count(MAX_SWITCHES, Long.BYTES);
      List<Long> dpids = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        dpids.add(in.int64());
      }
      in.end();
      return new Connected(node, dpids);
    }
  }

  @Override
  public String name() {
    return COMPONENT.name();
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    Connected connected = COMPONENT.argument().decode(argument);
    String node = connected.node();
    Set<Bytes> missing = new HashSet<>();
    connected.dpids().forEach(dpid -> missing.add(key(node, dpid)));
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
    for (long dpid : connected.dpids()) {
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
