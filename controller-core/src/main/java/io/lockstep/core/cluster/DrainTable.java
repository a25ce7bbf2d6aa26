package io.lockstep.core.cluster;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The table {@code cluster.drains}. One row has all drained nodes, in the order in which they were
 * drained: so two operators who drain two nodes at once, which together would take the quorum
 * along, are in conflict.
 */
public final class DrainTable implements RecordCodec<String, List<DrainedNode>> {

  /** The table's name. */
  public static final String NAME = "cluster.drains";

  /** Key of the only row. */
  public static final String KEY = "nodes";

  /** Drained nodes at most. */
  public static final int MAX_NODES = 1_024;

  private static final int FORMAT = 1;
  private static final int LEAST_BYTES = 1 + Long.BYTES;

  @Override
  public Bytes encodeKey(String key) {
    return Bytes.utf8(key);
  }

  @Override
  public String decodeKey(Bytes bytes) {
    return bytes.toUtf8();
  }

  @Override
  public Bytes encodeValue(List<DrainedNode> nodes) {
    ByteWriter out = new ByteWriter().int8(FORMAT).varint(nodes.size());
    nodes.forEach(one -> out.utf8(one.node()).int64(one.sinceMillis()));
    return out.toBytes();
  }

  @Override
  public List<DrainedNode> decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "drained nodes");
    int count = in.count(MAX_NODES, LEAST_BYTES);
    List<DrainedNode> nodes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      nodes.add(new DrainedNode(in.utf8(NodeTable.MAX_NODE_BYTES), in.int64()));
    }
    in.end();
    return List.copyOf(nodes);
  }
}
