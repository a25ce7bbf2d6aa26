package io.lockstep.core.flow;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.flow.entry.HeaderSpace;
import io.lockstep.core.flow.entry.HeaderSpace.Inexpressible;
import io.lockstep.core.flow.entry.TreatmentCodec;
import io.lockstep.core.flow.placed.LogicalRule;
import io.lockstep.core.flow.placed.LogicalRule.Origin;
import io.lockstep.core.flow.placed.PlacedRow;
import io.lockstep.core.link.LldpCodec;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.logging.BoundedLog;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;

/**
 * Rules of a placed switch beside the intended ones: applications' soft rules, the node's own.
 * Pure.
 */
final class SoftRules {
  private static final BoundedLog log = BoundedLog.of(SoftRules.class);

  /** On every switch above all rules of applications. */
  private static final int DISCOVERY_PRIORITY = 65_535;

  private SoftRules() {}

  /** The node's own rule: it sends link probes to the node. Last entries of tables are no rules. */
  static List<LogicalRule> own() {
    try {
      return List.of(
          LogicalRule.of(
                  DISCOVERY_PRIORITY,
                  DefaultTrafficSelector.builder()
                      .matchEthType((short) LldpCodec.ETHER_TYPE)
                      .build(),
                  DefaultTrafficTreatment.builder().punt().build(),
                  Origin.SYSTEM)
              .withFormerCookie(Cookies.SYSTEM));
    } catch (Inexpressible e) {
      throw new IllegalStateException(e);
    }
  }

  /** The rules that flow-mods add, without those that cannot be placed. */
  static List<LogicalRule> of(List<FlowMod> additions, DeviceId device) {
    return additions.stream().map(mod -> of(mod, device)).filter(Objects::nonNull).toList();
  }

  /**
   * The rule that a flow-mod adds. Logs one that cannot be placed, and gives null for it.
   *
   * @param device for the log
   */
  static @Nullable LogicalRule of(FlowMod mod, DeviceId device) {
    try {
      return LogicalRule.of(mod.priority(), mod.selector(), mod.treatment(), Origin.SOFT)
          .withOwner(mod.cookie() & (Cookies.OWNER_MASK | Cookies.TAG_MASK))
          .withTimeouts(mod.idleTimeoutSeconds(), mod.hardTimeoutSeconds())
          .withFormerCookie(mod.cookie());
    } catch (Inexpressible e) {
      log.warn(device, "{}", notInstalled(mod, device, e));
      return null;
    }
  }

  static String notInstalled(FlowMod mod, DeviceId device, Inexpressible why) {
    return String.format(
        "%s: an application's flow is not installed, so its packets go on coming to the"
            + " application: priority %d %s: %s",
        device, mod.priority(), mod.selector().criteria(), why.getMessage());
  }

  /** The rule that an earlier master stored. */
  static LogicalRule of(PlacedRow row) {
    return new LogicalRule(
        row.key(),
        row.treatment(),
        Origin.SOFT,
        row.owner(),
        row.idleSeconds(),
        row.hardSeconds(),
        0,
        LogicalRule.sendsToPorts(TreatmentCodec.read(new ByteReader(row.treatment()))));
  }

  /** Whether a delete removes a rule (OpenFlow 1.3.5 section 6.4, not strict). */
  static boolean removes(FlowMod mod, LogicalRule rule) {
    if ((mod.cookie() & mod.cookieMask()) != (rule.owner() & mod.cookieMask())) {
      return false;
    }
    try {
      return HeaderSpace.match(mod.selector()).covers(rule.key().match())
          && sendsThere(mod.treatment(), rule);
    } catch (Inexpressible e) {
      return false;
    }
  }

  private static boolean sendsThere(TrafficTreatment wanted, LogicalRule rule) {
    for (Instruction instruction : wanted.allInstructions()) {
      if (instruction instanceof OutputInstruction output) {
        return TreatmentCodec.read(new ByteReader(rule.treatment())).allInstructions().stream()
            .anyMatch(one -> one instanceof OutputInstruction o && o.port().equals(output.port()));
      }
    }
    return true;
  }
}
