package io.lockstep.core.cluster;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Component;

/**
 * Micro component {@code cluster.join}: enters the caller's session as that of a node, with the
 * consensus-ordered time.
 */
public final class JoinCluster implements MicroComponent {

  /** Called by the client whose session is the node's. */
  public static final Component<Join, Joined> COMPONENT =
      new Component<>(
          "cluster.join",
          Codec.of(Join::encode, Join::decode),
          Codec.of(Joined::encode, Joined::decode));

  private static final int FORMAT = 1;
  private static final NodeTable NODES = new NodeTable();

  /**
   * What a node says of itself.
   *
   * @param ready see {@link NodeRecord#ready}
   */
  public record Join(String node, String host, int witnessPort, String version, boolean ready) {

    /** Of a node as it is configured. */
    public static Join of(Member node, String version, boolean ready) {
      return new Join(node.nodeId(), node.host(), node.witnessPort(), version, ready);
    }

    private Bytes encode() {
      return new ByteWriter()
          .int8(FORMAT)
          .utf8(node)
          .utf8(host)
          .int16(witnessPort)
          .utf8(version)
          .flag(ready)
          .toBytes();
    }

    private static Join decode(Bytes bytes) {
      ByteReader in = new ByteReader(bytes);
      in.version(FORMAT, "join");
      Join join =
          new Join(
              in.utf8(NodeTable.MAX_NODE_BYTES),
              in.utf8(NodeTable.MAX_HOST_BYTES),
              in.uint16(),
              in.utf8(NodeTable.MAX_VERSION_BYTES),
              in.flag());
      in.end();
      return join;
    }
  }

  /**
   * What joining answered.
   *
   * @param index at which the record was written
   * @param otherSession the open session of another process under the same node id, or 0
   */
  public record Joined(long index, long otherSession) {
    private Bytes encode() {
      return new ByteWriter(16).int64(index).int64(otherSession).toBytes();
    }

    private static Joined decode(Bytes bytes) {
      ByteReader in = new ByteReader(bytes);
      Joined joined = new Joined(in.int64(), in.int64());
      in.end();
      return joined;
    }
  }

  @Override
  public String name() {
    return COMPONENT.name();
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    Join join = COMPONENT.argument().decode(argument);
    String node = join.node();
    long session = transaction.callerSession();
    NodeRecord now =
        new NodeRecord(
            session,
            join.host(),
            join.witnessPort(),
            join.version(),
            join.ready(),
            transaction.timeMillis());
    if (!transaction.sessionAlive(session)) {
      throw new Refusal("the session of " + node + " has ended");
    }
    Entry entry = transaction.get(NodeTable.NAME, NODES.encodeKey(node));
    long before = entry == null ? 0 : NODES.decodeValue(entry.value()).sessionId();
    boolean other = before != session && before != 0 && transaction.sessionAlive(before);
    transaction.put(NodeTable.NAME, NODES.encodeKey(node), NODES.encodeValue(now));
    return new Joined(transaction.index(), other ? before : 0).encode();
  }
}
