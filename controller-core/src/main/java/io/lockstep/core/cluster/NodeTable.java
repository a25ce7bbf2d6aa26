package io.lockstep.core.cluster;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/** The table {@code cluster.nodes}: node id to {@link NodeRecord}. */
public final class NodeTable implements RecordCodec<String, NodeRecord> {

  /** The table's name. */
  public static final String NAME = "cluster.nodes";

  static final int MAX_NODE_BYTES = 64;
  static final int MAX_HOST_BYTES = 255;
  static final int MAX_VERSION_BYTES = 64;

  private static final int FORMAT = 1;

  @Override
  public Bytes encodeKey(String node) {
    return Bytes.utf8(node);
  }

  @Override
  public String decodeKey(Bytes bytes) {
    return bytes.toUtf8();
  }

  @Override
  public Bytes encodeValue(NodeRecord node) {
    return new ByteWriter()
        .int8(FORMAT)
        .int64(node.sessionId())
        .utf8(node.host())
        .int16(node.port())
        .utf8(node.version())
        .flag(node.ready())
        .int64(node.updatedMillis())
        .toBytes();
  }

  @Override
  public NodeRecord decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "node record");
    NodeRecord node =
        new NodeRecord(
            in.int64(),
            in.utf8(MAX_HOST_BYTES),
            in.uint16(),
            in.utf8(MAX_VERSION_BYTES),
            in.flag(),
            in.int64());
    in.end();
    return node;
  }
}
