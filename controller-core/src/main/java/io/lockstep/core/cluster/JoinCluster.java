package io.lockstep.core.cluster;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * Micro component {@code cluster.join}: enters the caller's session as that of a node, with the
 * consensus-ordered time.
 */
public final class JoinCluster implements MicroComponent {

  /** The component's name. */
  public static final String NAME = "cluster.join";

  private static final int FORMAT = 1;
  private static final NodeTable NODES = new NodeTable();

  /**
   * The command; the submitting client's session is the node's.
   *
   * @param ready see {@link NodeRecord#ready}
   */
  public static Command command(Member node, String version, boolean ready) {
    return new Command.Call(
        NAME,
        new ByteWriter()
            .int8(FORMAT)
            .utf8(node.nodeId())
            .utf8(node.host())
            .int16(node.witnessPort())
            .utf8(version)
            .flag(ready)
            .toBytes());
  }

  /**
   * What joining answered.
   *
   * @param index at which the record was written
   * @param otherSession the open session of another process under the same node id, or 0
   */
  public record Joined(long index, long otherSession) {}

  /** Reads the answer. */
  public static Joined result(Reply.Returned reply) {
    ByteReader in = new ByteReader(reply.result());
    Joined joined = new Joined(in.int64(), in.int64());
    in.end();
    return joined;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    ByteReader in = new ByteReader(argument);
    in.version(FORMAT, "join");
    String node = in.utf8(NodeTable.MAX_NODE_BYTES);
    long session = transaction.callerSession();
    NodeRecord now =
        new NodeRecord(
            session,
            in.utf8(NodeTable.MAX_HOST_BYTES),
            in.uint16(),
            in.utf8(NodeTable.MAX_VERSION_BYTES),
            in.flag(),
            transaction.timeMillis());
    in.end();
    if (!transaction.sessionAlive(session)) {
      throw new Refusal("the session of " + node + " has ended");
    }
    Entry entry = transaction.get(NodeTable.NAME, NODES.encodeKey(node));
    long before = entry == null ? 0 : NODES.decodeValue(entry.value()).sessionId();
    boolean other = before != session && before != 0 && transaction.sessionAlive(before);
    transaction.put(NodeTable.NAME, NODES.encodeKey(node), NODES.encodeValue(now));
    return new ByteWriter(16).int64(transaction.index()).int64(other ? before : 0).toBytes();
  }
}
