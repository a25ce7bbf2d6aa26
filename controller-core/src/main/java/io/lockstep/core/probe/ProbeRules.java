package io.lockstep.core.probe;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.southbound.SwitchErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;

/**
 * The rules of a probe in one table: some that only take room, newest last, and the witness. All of
 * them go by themselves after a while, should the switch lose its controllers with them inside.
 * Used by the probe's thread.
 */
final class ProbeRules {
  /** Flow-mods that are confirmed together: switches take some hundred in a second. */
  private static final int BATCH = 256;

  private static final int ALL_TABLES = 0xff;
  private static final TrafficTreatment UP = DefaultTrafficTreatment.builder().punt().build();
  private static final TrafficTreatment NOTHING = DefaultTrafficTreatment.emptyTreatment();

  private final ProbeTarget target;
  private final int table;
  private final Structure structure;
  private final int secondsToLive;

  /** Rules 1 to this are in the switch. */
  private int filled;

  /** When the oldest of them, or the witness, was sent. */
  private long oldestNanos;

  ProbeRules(ProbeTarget target, int table, Structure structure, int secondsToLive) {
    this.target = target;
    this.table = table;
    this.structure = structure;
    this.secondsToLive = secondsToLive;
  }

  static long cookie(int table) {
    return Cookies.PROBE | table;
  }

  int filled() {
    return filled;
  }

  /** Whether some of the rules, or the last witness, may have gone by themselves. */
  boolean mayBeGone() {
    return olderThan(secondsToLive);
  }

  private boolean olderThan(int seconds) {
    return target.nanos() - oldestNanos >= TimeUnit.SECONDS.toNanos(seconds);
  }

  /**
   * Brings the number of rules that take room to one, or to where the switch refuses more. What is
   * too many goes newest first, so that a switch that moves rules has none to move. Rules that have
   * lived for half their time are put there anew.
   *
   * @return the refusal, or an empty text
   */
  String fill(int wanted) throws ProbeException {
    if (filled > 0 && olderThan(secondsToLive / 2)) {
      reduce(0);
    }
    reduce(wanted);
    if (filled == 0) {
      oldestNanos = target.nanos();
    }
    while (filled < wanted) {
      int to = Math.min(wanted, filled + BATCH);
      List<FlowMod> adds = new ArrayList<>();
      for (int rule = filled + 1; rule <= to; rule++) {
        adds.add(mod(FlowMod.Operation.ADD, rule));
      }
      List<FlowModOutcome> outcomes = target.change(adds);
      int taken = 0;
      while (taken < outcomes.size() && outcomes.get(taken) instanceof FlowModOutcome.Installed) {
        taken++;
      }
      filled += taken;
      if (taken < outcomes.size()) {
        removeBehind(adds.subList(taken, adds.size()), outcomes.subList(taken, outcomes.size()));
        return ((FlowModOutcome.Refused) outcomes.get(taken)).error();
      }
    }
    return "";
  }

  private void reduce(int wanted) throws ProbeException {
    while (filled > wanted) {
      int from = Math.max(wanted, filled - BATCH);
      List<FlowMod> deletes = new ArrayList<>();
      for (int rule = filled; rule > from; rule--) {
        deletes.add(mod(FlowMod.Operation.DELETE_STRICT, rule));
      }
      target.change(deletes);
      filled = from;
    }
  }

  /** A switch that refuses one rule may take a later one; they would not be counted. */
  private void removeBehind(List<FlowMod> adds, List<FlowModOutcome> outcomes)
      throws ProbeException {
    List<FlowMod> deletes = new ArrayList<>();
    for (int i = 0; i < adds.size(); i++) {
      if (outcomes.get(i) instanceof FlowModOutcome.Installed) {
        deletes.add(mod(FlowMod.Operation.DELETE_STRICT, filled + 1 + i));
      }
    }
    if (!deletes.isEmpty()) {
      target.change(deletes);
    }
  }

  /** Adds the witness; returns the refusal, or an empty text. */
  String addWitness() throws ProbeException {
    if (filled == 0) {
      oldestNanos = target.nanos();
    }
    FlowModOutcome outcome = target.change(List.of(mod(FlowMod.Operation.ADD, 0))).get(0);
    return outcome instanceof FlowModOutcome.Refused refused ? refused.error() : "";
  }

  void removeWitness() throws ProbeException {
    target.change(List.of(mod(FlowMod.Operation.DELETE_STRICT, 0)));
  }

  private FlowMod mod(FlowMod.Operation operation, int rule) {
    boolean add = operation == FlowMod.Operation.ADD;
    return new FlowMod(
        operation,
        table,
        structure.priority(rule),
        cookie(table),
        0,
        0,
        add ? secondsToLive : 0,
        false,
        PacketIn.NO_BUFFER,
        structure.selector(rule, target.port()),
        add ? UP : NOTHING);
  }

  /**
   * Leads the witnesses' packets from table 0 to another.
   *
   * @throws ProbeException where table 0 takes no rule that does
   */
  static void openWay(ProbeTarget target, int table, int secondsToLive) throws ProbeException {
    TrafficTreatment onward = DefaultTrafficTreatment.builder().transition(table).build();
    String refusals = "";
    for (TrafficSelector selector : Structure.allPackets(target.port())) {
      FlowMod way =
          new FlowMod(
              FlowMod.Operation.ADD,
              0,
              Structure.LOWEST_PRIORITY,
              Cookies.PROBE | ALL_TABLES,
              0,
              0,
              secondsToLive,
              false,
              PacketIn.NO_BUFFER,
              selector,
              onward);
      FlowModOutcome outcome = target.change(List.of(way)).get(0);
      if (!(outcome instanceof FlowModOutcome.Refused refused)) {
        return;
      }
      refusals += " " + refused.error();
    }
    throw new ProbeException("table 0 takes no rule that leads to table " + table + ":" + refusals);
  }

  /** Takes every entry of a probe out, whoever put it there. */
  static void removeAll(ProbeTarget target) throws ProbeException {
    FlowMod all =
        new FlowMod(
            FlowMod.Operation.DELETE,
            ALL_TABLES,
            0,
            Cookies.PROBE,
            Cookies.OWNER_MASK,
            0,
            0,
            false,
            PacketIn.NO_BUFFER,
            DefaultTrafficSelector.emptySelector(),
            NOTHING);
    FlowModOutcome outcome = target.change(List.of(all)).get(0);
    if (outcome instanceof FlowModOutcome.Refused refused) {
      throw new ProbeException("the switch keeps the probe's entries: " + refused.error());
    }
  }

  /** Whether a refusal is about room, not about the rule. */
  static boolean isAboutRoom(String refusal) {
    return SwitchErrors.isTableFull(refusal);
  }
}
