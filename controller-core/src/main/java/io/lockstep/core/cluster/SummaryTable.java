package io.lockstep.core.cluster;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/** The table {@code cluster.summaries}: node id to {@link NodeSummary}, one row for each node. */
public final class SummaryTable implements RecordCodec<String, NodeSummary> {

  /** The table's name. */
  public static final String NAME = "cluster.summaries";

  /** Bytes of a summary's content at most. */
  public static final int MAX_CONTENT_BYTES = 4_096;

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
  public Bytes encodeValue(NodeSummary summary) {
    return new ByteWriter(32 + summary.content().length())
        .int8(FORMAT)
        .int64(summary.sessionId())
        .int64(summary.takenMillis())
        .bytes(summary.content())
        .toBytes();
  }

  @Override
  public NodeSummary decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "summary of a node");
    NodeSummary summary = new NodeSummary(in.int64(), in.int64(), in.bytes(MAX_CONTENT_BYTES));
    in.end();
    return summary;
  }
}
