package io.lockstep.core.flow.placed;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.flow.entry.EntryComparison;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PortGroup;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.profile.FixedPipeline;
import io.lockstep.placer.profile.FixedPipeline.FrameKind;
import io.lockstep.placer.profile.FixedPipeline.Output;
import io.lockstep.placer.profile.FixedPipeline.PortEntry;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.VlanId;
import org.onosproject.core.GroupId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthTypeCriterion;
import org.onosproject.net.flow.criteria.VlanIdCriterion;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions.GroupInstruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction;

/**
 * Between the entries of the node's one layer and the form that a switch with a fixed pipeline
 * takes them in (docs/adr/0053). Each form of an entry that {@link #whyNot} lets through has one
 * form in the switch, and that form means the same for each packet that the switch accepts. Pure.
 */
final class FixedEntries {
  private static final long MAX_PORT = 0xffff;

  private final FixedPipeline fixed;
  private final int table;

  /**
   * @param table of the layer
   */
  FixedEntries(FixedPipeline fixed, int table) {
    this.fixed = fixed;
    this.table = table;
  }

  /** Whether entries send packets to ports through groups. */
  boolean groups() {
    return fixed.output() == Output.L2_INTERFACE;
  }

  // ---- what cannot be said ----

  /** The reason why the switch has no form for a rule; null where it has one. */
  @Nullable String whyNot(RuleKey key, TrafficTreatment treatment) {
    if (key.priority() <= fixed.lastPriority()) {
      return "the switch keeps the priorities up to "
          + fixed.lastPriority()
          + " for packets that match no rule";
    }
    boolean untagged = isUntagged(key.match());
    if (fixed.untaggedVlan() == 0) {
      return groups() ? whyNot(treatment, true) : null;
    }
    if ((key.match().fields() & HeaderField.VLAN_VID.bit()) != 0 && !untagged) {
      return "matches a VLAN tag, and the switch forwards only frames without one, in VLAN "
          + fixed.untaggedVlan();
    }
    return groups() ? whyNot(treatment, untagged) : null;
  }

  private static boolean isUntagged(TernaryMatch match) {
    return match.mask(HeaderField.VLAN_VID) == HeaderField.VLAN_VID.full()
        && match.value(HeaderField.VLAN_VID) == 0;
  }

  /** Entries may drop, send to the controller, or mark packets and send them through one group. */
  private static @Nullable String whyNot(TrafficTreatment treatment, boolean untagged) {
    if (!treatment.deferred().isEmpty() || treatment.clearedDeferred()) {
      return "writes actions for the end of the pipeline, which the node does itself here";
    }
    int outputs = 0;
    int marks = 0;
    for (Instruction instruction : treatment.immediate()) {
      if (instruction instanceof OutputInstruction output) {
        boolean up = output.port().equals(PortNumber.CONTROLLER);
        outputs++;
        if (up && marks > 0) {
          return "marks packets that it sends to the controller";
        } else if (!up && !isPort(output.port().toLong())) {
          return "outputs to " + output.port() + ", and the switch has groups for single ports";
        } else if (!up && !untagged) {
          return "outputs to a port, and needs a match on vlan_vid for that: none";
        }
      } else if (isMark(instruction)) {
        marks++;
        if (outputs > 0) {
          return "marks packets after an output";
        }
      } else if (instruction.type() != Instruction.Type.NOACTION) {
        return "has the action " + instruction + ", which the switch does not know";
      }
    }
    return outputs > 1 || marks > 1 || outputs < marks
        ? "has more than one output or mark, or a mark without an output"
        : null;
  }

  private static boolean isPort(long port) {
    return port >= 1 && port <= MAX_PORT;
  }

  private static boolean isMark(Instruction instruction) {
    return instruction instanceof L3ModificationInstruction l3
        && l3.subtype() == L3ModificationInstruction.L3SubType.IP_DSCP;
  }

  // ---- to the switch ----

  /** The flow-mods for one of the layer; the last entry is several. */
  List<FlowMod> toSwitch(FlowMod mod) {
    if (mod.tableId() != table) {
      return List.of(mod);
    }
    List<FlowMod> all = new ArrayList<>();
    if (mod.priority() == 0 && mod.selector().criteria().isEmpty()) {
      all.add(with(mod, fixed.lastPriority(), mod.selector(), mod.treatment()));
      for (int type : fixed.apartTypes()) {
        TrafficSelector apart = DefaultTrafficSelector.builder().matchEthType((short) type).build();
        all.add(with(mod, fixed.lastPriority(), apart, mod.treatment()));
      }
    } else {
      all.add(with(mod, mod.priority(), toSwitch(mod.selector()), toSwitch(mod.treatment())));
    }
    return all;
  }

  private static FlowMod with(
      FlowMod mod, int priority, TrafficSelector selector, TrafficTreatment treatment) {
    return new FlowMod(
        mod.operation(),
        mod.tableId(),
        priority,
        mod.cookie(),
        mod.cookieMask(),
        mod.idleTimeoutSeconds(),
        mod.hardTimeoutSeconds(),
        mod.notifyRemoval(),
        mod.bufferId(),
        selector,
        treatment);
  }

  private TrafficSelector toSwitch(TrafficSelector selector) {
    return withVlan(selector, VlanId.NONE, VlanId.vlanId((short) fixed.untaggedVlan()));
  }

  /** The selector, with another VLAN where it matches one. */
  private TrafficSelector withVlan(TrafficSelector selector, VlanId from, VlanId to) {
    boolean matches =
        selector.getCriterion(Criterion.Type.VLAN_VID) instanceof VlanIdCriterion vlan
            && vlan.vlanId().equals(from);
    return fixed.untaggedVlan() == 0 || !matches
        ? selector
        : DefaultTrafficSelector.builder(selector).matchVlanId(to).build();
  }

  private TrafficTreatment toSwitch(TrafficTreatment treatment) {
    if (!groups() || treatment.immediate().isEmpty()) {
      return treatment;
    }
    TrafficTreatment.Builder form = DefaultTrafficTreatment.builder();
    for (Instruction instruction : treatment.immediate()) {
      if (instruction instanceof OutputInstruction output && isPort(output.port().toLong())) {
        form.deferred().group(new GroupId(fixed.groupOf(output.port().toLong())));
      } else if (isMark(instruction)) {
        form.deferred().add(instruction);
      } else {
        form.immediate().add(instruction);
      }
    }
    return form.build();
  }

  // ---- from the switch ----

  /** The entries as the layer has them, without those of ports; another's are as they are. */
  List<FlowStats> fromSwitch(List<FlowStats> seen) {
    List<FlowStats> entries = new ArrayList<>(seen.size());
    List<FlowStats> last = new ArrayList<>();
    for (FlowStats entry : seen) {
      if (isLast(entry)) {
        last.add(entry);
      } else if (entry.tableId() == table) {
        entries.add(with(entry, entry.priority(), back(entry.selector()), back(entry.treatment())));
      } else if (!isPortEntry(entry)) {
        entries.add(entry);
      }
    }
    if (last.size() == 1 + fixed.apartTypes().size()) {
      entries.add(lastOf(last));
    }
    return entries;
  }

  /** All parts of the last entry as one; where one is missing, the node writes all again. */
  private static FlowStats lastOf(List<FlowStats> parts) {
    FlowStats whole =
        with(parts.get(0), 0, DefaultTrafficSelector.emptySelector(), parts.get(0).treatment());
    return new FlowStats(
        whole.tableId(),
        whole.priority(),
        whole.cookie(),
        whole.idleTimeoutSeconds(),
        whole.hardTimeoutSeconds(),
        whole.durationSeconds(),
        parts.stream().mapToLong(FlowStats::packets).sum(),
        parts.stream().mapToLong(FlowStats::bytes).sum(),
        whole.selector(),
        whole.treatment());
  }

  private boolean isLast(FlowStats entry) {
    boolean itsMatch =
        entry.selector().criteria().isEmpty()
            || (entry.selector().criteria().size() == 1
                && entry.selector().getCriterion(Criterion.Type.ETH_TYPE)
                    instanceof EthTypeCriterion type
                && fixed.apartTypes().contains(Short.toUnsignedInt(type.ethType().toShort())));
    return entry.tableId() == table
        && entry.cookie() == Cookies.TABLE_MISS
        && entry.priority() == fixed.lastPriority()
        && itsMatch
        && EntryComparison.sameActions(
            table, DefaultTrafficTreatment.builder().punt().build(), entry.treatment());
  }

  private boolean isPortEntry(FlowStats entry) {
    return fixed.isPortTable(entry.tableId()) && entry.cookie() == Cookies.PORT_ENTRY;
  }

  private static FlowStats with(
      FlowStats entry, int priority, TrafficSelector selector, TrafficTreatment treatment) {
    return new FlowStats(
        entry.tableId(),
        priority,
        entry.cookie(),
        entry.idleTimeoutSeconds(),
        entry.hardTimeoutSeconds(),
        entry.durationSeconds(),
        entry.packets(),
        entry.bytes(),
        selector,
        treatment);
  }

  private TrafficSelector back(TrafficSelector selector) {
    return withVlan(selector, VlanId.vlanId((short) fixed.untaggedVlan()), VlanId.NONE);
  }

  private TrafficTreatment back(TrafficTreatment treatment) {
    boolean readable =
        groups()
            && treatment.meters().isEmpty()
            && treatment.immediate().isEmpty()
            && !treatment.deferred().isEmpty()
            && !treatment.clearedDeferred()
            && treatment.tableTransition() == null;
    if (!readable) {
      return treatment;
    }
    TrafficTreatment.Builder marks = DefaultTrafficTreatment.builder();
    long port = 0;
    for (Instruction instruction : treatment.deferred()) {
      if (instruction instanceof GroupInstruction group) {
        port = fixed.portOf(group.groupId().id());
      } else if (isMark(instruction)) {
        marks.add(instruction);
      } else {
        return treatment;
      }
    }
    return port == 0 ? treatment : marks.setOutput(PortNumber.portNumber(port)).build();
  }

  // ---- what each port needs ----

  /** Whether a port is one that packets can be sent to through a group. */
  static boolean isPhysical(PortNumber port) {
    return isPort(port.toLong());
  }

  /** The group of a port; null where none is needed. */
  @Nullable PortGroup group(long port) {
    return groups() ? new PortGroup(fixed.groupOf(port), port, true) : null;
  }

  /** How many entries each port needs, one after the other. */
  int portEntries() {
    return fixed.portEntries().size();
  }

  /** One of the entries of a port. */
  FlowMod portEntry(int index, long port) {
    PortEntry entry = fixed.portEntries().get(index);
    VlanId vlan = VlanId.vlanId((short) fixed.untaggedVlan());
    TrafficSelector.Builder match =
        DefaultTrafficSelector.builder().matchInPort(PortNumber.portNumber(port));
    if (entry.frames() != FrameKind.ALL) {
      match.matchVlanId(entry.frames() == FrameKind.TAGGED ? vlan : VlanId.NONE);
    }
    TrafficTreatment.Builder treatment = DefaultTrafficTreatment.builder();
    if (entry.assigns()) {
      treatment.pushVlan().setVlanId(vlan);
    }
    return new FlowMod(
        FlowMod.Operation.ADD,
        entry.table(),
        entry.priority(),
        Cookies.PORT_ENTRY,
        0,
        0,
        0,
        false,
        PacketIn.NO_BUFFER,
        match.build(),
        treatment.transition(entry.next()).build());
  }

  /** Whether an entry that the switch shows is what a flow-mod of {@link #portEntry} makes. */
  static boolean isThere(FlowMod wanted, List<FlowStats> seen) {
    return seen.stream()
        .anyMatch(
            entry ->
                entry.tableId() == wanted.tableId()
                    && entry.priority() == wanted.priority()
                    && entry.cookie() == wanted.cookie()
                    && EntryComparison.sameMatch(wanted.selector(), entry.selector())
                    && EntryComparison.sameActions(
                        wanted.tableId(), wanted.treatment(), entry.treatment()));
  }
}
