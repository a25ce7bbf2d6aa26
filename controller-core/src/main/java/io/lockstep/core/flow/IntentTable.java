package io.lockstep.core.flow;

import io.lockstep.core.flow.entry.SelectorCodec;
import io.lockstep.core.flow.entry.TreatmentCodec;
import io.lockstep.core.mastership.SwitchScope;
import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.IndexTableId;

/**
 * The table {@code net.flows}: intended rules. Any node writes it for applications. Masters write
 * the states of these rules to {@code net.flow-states}.
 */
final class IntentTable implements RecordCodec<IntentKey, Intent> {

  static final String NAME = "net.flows";

  private static final int FORMAT = 1;

  /** The same of a rule that may be displaced. An earlier release skips such a record. */
  private static final int FORMAT_DISPLACEABLE = 2;

  @Override
  public Bytes encodeKey(IntentKey key) {
    return key.encode();
  }

  @Override
  public IntentKey decodeKey(Bytes bytes) {
    return IntentKey.decode(bytes);
  }

  /** The number of the rule's table; throws {@link IllegalArgumentException} if it has none. */
  static int tableNumber(FlowRule rule) {
    if (rule.table() instanceof IndexTableId table) {
      return table.id();
    }
    throw new IllegalArgumentException("table " + rule.table() + " has no number");
  }

  /** Throws {@link IllegalArgumentException} for a rule with parts that cannot be stored. */
  @Override
  public Bytes encodeValue(Intent intent) {
    FlowRule rule = intent.rule();
    ByteWriter out = new ByteWriter(96);
    out.int8(intent.displaceable() ? FORMAT_DISPLACEABLE : FORMAT)
        .flag(intent.remove())
        .int64(SwitchScope.dpid(rule.deviceId()))
        .int64(rule.id().value())
        .int32(tableNumber(rule))
        .int32(rule.priority())
        .flag(rule.isPermanent())
        .int32(rule.timeout())
        .int32(rule.hardTimeout());
    SelectorCodec.write(rule.selector(), out);
    TreatmentCodec.write(rule.treatment(), out);
    return out.toBytes();
  }

  @Override
  public Intent decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    boolean displaceable = in.version(FORMAT, FORMAT_DISPLACEABLE, "intended rule") > FORMAT;
    boolean remove = in.flag();
    FlowRule.Builder rule =
        DefaultFlowRule.builder()
            .forDevice(SwitchScope.deviceId(in.int64()))
            .withCookie(in.int64())
            .forTable(in.int32())
            .withPriority(in.int32());
    boolean permanent = in.flag();
    int timeout = in.int32();
    int hardTimeout = in.int32();
    if (hardTimeout > 0) {
      rule.withHardTimeout(hardTimeout); // also sets the idle time-out, so it comes first
    }
    if (permanent) {
      rule.makePermanent();
    } else {
      rule.makeTemporary(timeout);
    }
    rule.withSelector(SelectorCodec.read(in)).withTreatment(TreatmentCodec.read(in));
    in.end();
    return new Intent(rule.build(), remove, displaceable);
  }
}
