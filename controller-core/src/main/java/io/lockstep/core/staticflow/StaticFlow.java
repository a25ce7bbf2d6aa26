package io.lockstep.core.staticflow;

import io.lockstep.core.flow.text.ActionText;
import io.lockstep.core.flow.text.FlowTextException;
import io.lockstep.core.flow.text.MatchText;
import io.lockstep.core.mastership.SwitchScope;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteWriter;
import java.util.List;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.FlowRule;

/**
 * A rule as an operator wrote it. Immutable.
 *
 * @param dpid of the switch
 * @param table of the switch, 0 to 254
 * @param match as {@link MatchText} writes it
 * @param actions as {@link ActionText} writes them
 * @param idleSeconds without a packet after which the switch removes the rule; 0 for never
 * @param hardSeconds after which the switch removes the rule; 0 for never
 * @param displaceable whether an entry with more traffic may take its place
 */
record StaticFlow(
    long dpid,
    int table,
    int priority,
    List<String> match,
    List<String> actions,
    int idleSeconds,
    int hardSeconds,
    boolean displaceable) {

  /** The bits of a rule's id that say that an operator wrote it; those of paths are others. */
  static final long OWNER = 0x8b00_0000_0000_0000L;

  private static final long ID_MASK = 0x0000_ffff_ffff_ffffL;
  private static final long FNV_OFFSET = 0xcbf2_9ce4_8422_2325L;
  private static final long FNV_PRIME = 0x0000_0100_0000_01b3L;

  StaticFlow {
    match = List.copyOf(match);
    actions = List.copyOf(actions);
  }

  /**
   * The id of the rule at its switch: 48 bits of a hash of all that tells two entries of a switch
   * apart. So a flow that changes its match leaves one rule and gets another.
   */
  long ruleId(String id) {
    Bytes told =
        new ByteWriter().utf8(id).int8(table).int32(priority).utf8(match.toString()).toBytes();
    long hash = FNV_OFFSET;
    for (byte octet : told.toArray()) {
      hash = (hash ^ (octet & 0xff)) * FNV_PRIME;
    }
    long mixed = (hash ^ (hash >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d0_49bb_1331_11ebL;
    return OWNER | ((mixed ^ (mixed >>> 31)) & ID_MASK);
  }

  /** Whether the entries of two flows would be one entry of a switch. */
  boolean isSameEntry(StaticFlow other) {
    return dpid == other.dpid
        && table == other.table
        && priority == other.priority
        && match.equals(other.match);
  }

  /**
   * The rule.
   *
   * @throws FlowTextException where match or actions are none, which no stored flow has
   */
  FlowRule rule(String id) throws FlowTextException {
    FlowRule.Builder rule =
        DefaultFlowRule.builder()
            .forDevice(SwitchScope.deviceId(dpid))
            .withCookie(ruleId(id))
            .forTable(table)
            .withPriority(priority)
            .withSelector(MatchText.parse(match))
            .withTreatment(ActionText.parse(actions));
    if (hardSeconds > 0) {
      rule.withHardTimeout(hardSeconds); // also sets the idle time-out, so it comes first
    }
    return (idleSeconds > 0
            ? rule.makeTemporary(idleSeconds)
            : hardSeconds > 0 ? rule.makeTemporary(hardSeconds) : rule.makePermanent())
        .build();
  }
}
