package io.lockstep.core.staticflow;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.ArrayList;
import java.util.List;

/** The table {@code net.static-flows}: id that an operator chose to {@link StaticFlow}. */
public final class StaticFlowTable implements RecordCodec<String, StaticFlow> {

  /** The table's name. */
  public static final String NAME = "net.static-flows";

  /** Fields of a match, and actions, at most. */
  static final int MAX_TEXTS = 32;

  /** Characters of one of them at most; all are ASCII. */
  static final int MAX_TEXT_CHARS = 128;

  private static final int FORMAT = 1;

  /** The same of a flow that may be displaced. An earlier release skips such a record. */
  private static final int FORMAT_DISPLACEABLE = 2;

  @Override
  public Bytes encodeKey(String id) {
    return Bytes.utf8(id);
  }

  @Override
  public String decodeKey(Bytes bytes) {
    return bytes.toUtf8();
  }

  @Override
  public Bytes encodeValue(StaticFlow flow) {
    ByteWriter out =
        new ByteWriter(256)
            .int8(flow.displaceable() ? FORMAT_DISPLACEABLE : FORMAT)
            .int64(flow.dpid())
            .int8(flow.table())
            .int32(flow.priority())
            .int32(flow.idleSeconds())
            .int32(flow.hardSeconds());
    write(flow.match(), out);
    write(flow.actions(), out);
    return out.toBytes();
  }

  private static void write(List<String> texts, ByteWriter out) {
    out.varint(texts.size());
    texts.forEach(out::utf8);
  }

  @Override
  public StaticFlow decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    boolean displaceable = in.version(FORMAT, FORMAT_DISPLACEABLE, "static flow") > FORMAT;
    long dpid = in.int64();
    int table = in.uint8();
    int priority = in.int32();
    int idleSeconds = in.int32();
    int hardSeconds = in.int32();
    StaticFlow flow =
        new StaticFlow(
            dpid, table, priority, texts(in), texts(in), idleSeconds, hardSeconds, displaceable);
    in.end();
    return flow;
  }

  private static List<String> texts(ByteReader in) {
    int count = in.count(MAX_TEXTS, 1);
    List<String> texts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      texts.add(in.utf8(MAX_TEXT_CHARS));
    }
    return texts;
  }
}
