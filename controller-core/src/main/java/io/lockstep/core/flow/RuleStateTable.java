package io.lockstep.core.flow;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/** The table {@code net.flow-states}: the states of the rules in {@code net.flows}. */
final class RuleStateTable implements RecordCodec<IntentKey, RuleState> {

  static final String NAME = "net.flow-states";

  private static final int FORMAT = 1;
  private static final int MAX_ERROR_BYTES = 4_096;

  @Override
  public Bytes encodeKey(IntentKey key) {
    return key.encode();
  }

  @Override
  public IntentKey decodeKey(Bytes bytes) {
    return IntentKey.decode(bytes);
  }

  @Override
  public Bytes encodeValue(RuleState state) {
    String error = state.error();
    return new ByteWriter()
        .int8(FORMAT)
        .int64(state.intentVersion())
        .flag(state.installed())
        .utf8(
            error.length() > MAX_ERROR_BYTES / 4 ? error.substring(0, MAX_ERROR_BYTES / 4) : error)
        .int64(state.epoch())
        .toBytes();
  }

  @Override
  public RuleState decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "rule state");
    RuleState state = new RuleState(in.int64(), in.flag(), in.utf8(MAX_ERROR_BYTES), in.int64());
    in.end();
    return state;
  }
}
