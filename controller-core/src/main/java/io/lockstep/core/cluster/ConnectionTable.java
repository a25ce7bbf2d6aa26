package io.lockstep.core.cluster;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * The table {@code cluster.connections}: which node is connected to which switch, and the session
 * of the node when it said so. An entry counts only while that session is open.
 */
public final class ConnectionTable implements RecordCodec<ConnectionTable.Key, Long> {

  /** The table's name. */
  public static final String NAME = "cluster.connections";

  private static final int FORMAT = 1;

  /** A connection. */
  public record Key(String node, long dpid) {}

  @Override
  public Bytes encodeKey(Key key) {
    return new ByteWriter().utf8(key.node()).int64(key.dpid()).toBytes();
  }

  @Override
  public Key decodeKey(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    Key key = new Key(in.utf8(NodeTable.MAX_NODE_BYTES), in.int64());
    in.end();
    return key;
  }

  @Override
  public Bytes encodeValue(Long sessionId) {
    return new ByteWriter(9).int8(FORMAT).int64(sessionId).toBytes();
  }

  @Override
  public Long decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "connection record");
    long sessionId = in.int64();
    in.end();
    return sessionId;
  }

  /** The first key that a node's entries can have. */
  static Bytes from(String node) {
    return new ByteWriter().utf8(node).toBytes();
  }

  /** A key behind all that a node's entries can have. */
  static Bytes to(String node) {
    return new ByteWriter().utf8(node).int64(-1).int8(0).toBytes();
  }
}
