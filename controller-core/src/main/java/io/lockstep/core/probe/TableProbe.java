package io.lockstep.core.probe;

import io.lockstep.core.probe.CapacitySearch.Found;
import io.lockstep.core.probe.CapacitySearch.Trial;
import io.lockstep.core.probe.ProbeReport.Row;
import io.lockstep.core.probe.ProbeReport.Table;
import io.lockstep.core.southbound.FlowStats;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Probes one table, row by row: a field is added to those that the table took before; where a rule
 * with it does not go to hardware, the field is left out of what follows. Used by the probe's
 * thread.
 */
final class TableProbe {
  /** How often one rule alone is asked for until it says the same twice in a row. */
  private static final int ASKED = 6;

  /** How often a trial is made whose rules may have gone by themselves before its end. */
  private static final int TRIALS = 3;

  private final ProbeTarget target;
  private final PathJudge judge;
  private final SwitchProbe.Limits limits;
  private final int table;
  private final Consumer<String> progress;
  private boolean software;

  TableProbe(ProbeTarget target, SwitchProbe.Limits limits, int table, Consumer<String> progress) {
    this.target = target;
    this.judge = new PathJudge(target);
    this.limits = limits;
    this.table = table;
    this.progress = progress;
  }

  /** Probes all rows; what it put into the table is out again, unless it fails. The way stays. */
  Table probe() throws ProbeException {
    EnumSet<ProbeField> taken = EnumSet.noneOf(ProbeField.class);
    List<Row> rows = new ArrayList<>();
    for (ProbeField field : ProbeField.values()) {
      Set<ProbeField> fields = EnumSet.copyOf(taken);
      fields.add(field);
      Row row = row(field, new Structure(fields));
      rows.add(row);
      progress.accept(
          "table " + table + ", up to " + field.label() + ": " + row.capacity() + " in hardware");
      if (row.capacity() > 0) {
        taken.add(field);
      }
    }
    Set<ProbeField> required = required(taken);
    return new Table(table, rows, required, software);
  }

  private Row row(ProbeField field, Structure structure) throws ProbeException {
    ProbeRules rules = new ProbeRules(target, table, structure, limits.secondsToLive());
    String[] said = {""};
    Location first = sure(rules, structure, said);
    software |= first == Location.SOFTWARE;
    if (first != Location.HARDWARE) {
      if (first == Location.REFUSED && ProbeRules.isAboutRoom(said[0])) {
        throw new ProbeException("table " + table + " has no room for a single rule: " + said[0]);
      }
      return new Row(field, structure.toString(), 0, true, first.label(), said[0]);
    }
    Found found =
        CapacitySearch.search(
            wanted -> trial(rules, structure, wanted, said), Location.HARDWARE, limits.most());
    rules.fill(0);
    software |= found.overflow() == Location.SOFTWARE;
    return new Row(
        field,
        structure.toString(),
        found.rules(),
        found.bounded(),
        found.overflow().label(),
        found.overflow() == Location.REFUSED ? said[0] : "");
  }

  private Trial trial(ProbeRules rules, Structure structure, int wanted, String[] said)
      throws ProbeException {
    for (int i = 0; i < TRIALS; i++) {
      Trial trial = trialOnce(rules, structure, wanted, said);
      if (!rules.mayBeGone()) {
        return trial;
      }
    }
    throw gone(wanted);
  }

  private ProbeException gone(int wanted) {
    return new ProbeException(
        wanted + " rules that live for " + limits.secondsToLive() + " s are gone before the last");
  }

  private Trial trialOnce(ProbeRules rules, Structure structure, int wanted, String[] said)
      throws ProbeException {
    String refusal = rules.fill(wanted - 1);
    if (!refusal.isEmpty()) {
      said[0] = refusal;
      return new Trial(Location.REFUSED, rules.filled());
    }
    Location last = witness(rules, structure, said);
    return new Trial(last, last == Location.REFUSED ? rules.filled() : -1);
  }

  /**
   * Where the witness goes when it is asked twice; a switch that refuses need not be asked again.
   */
  private Location sure(ProbeRules rules, Structure structure, String[] said)
      throws ProbeException {
    Location before = witness(rules, structure, said);
    for (int asked = 1; asked < ASKED; asked++) {
      if (before == Location.REFUSED) {
        return before;
      }
      Location now = witness(rules, structure, said);
      if (rules.mayBeGone()) {
        throw gone(1);
      }
      if (now == before) {
        return now;
      }
      before = now;
    }
    throw new ProbeException(
        "the switch answers differently from one time to the next: asked "
            + ASKED
            + " times for one rule on "
            + structure
            + ", it never said the same twice in a row");
  }

  /**
   * Where the witness goes beside the rules that are in the table now; it is out again. The answer
   * is worth nothing where rules may be gone by now. The way to the table lives no longer than a
   * rule, so it is opened each time.
   */
  private Location witness(ProbeRules rules, Structure structure, String[] said)
      throws ProbeException {
    if (table > 0) {
      ProbeRules.openWay(target, table, limits.secondsToLive());
    }
    String refusal = rules.addWitness();
    if (!refusal.isEmpty()) {
      said[0] = refusal;
      return Location.REFUSED;
    }
    if (!shown(structure, rules.filled())) {
      said[0] = "taken without an error and not among the entries";
      rules.removeWitness();
      return Location.REFUSED;
    }
    Location location = judge(rules, structure);
    rules.removeWitness();
    return location;
  }

  private Location judge(ProbeRules rules, Structure structure) throws ProbeException {
    try {
      return judge.judge(structure, ProbeRules.cookie(table));
    } catch (ProbeException e) {
      if (rules.mayBeGone()) {
        return Location.REFUSED;
      }
      throw e;
    }
  }

  /** Some switches confirm a rule that they do not keep. Counting is enough where tables do. */
  private boolean shown(Structure structure, int filled) throws ProbeException {
    if (target.activeEntries(table) > filled) {
      return true;
    }
    for (FlowStats entry : target.entries()) {
      if (entry.tableId() == table
          && entry.priority() == structure.priority(0)
          && entry.selector().equals(structure.selector(0, target.port()))) {
        return true;
      }
    }
    return false;
  }

  /**
   * The fields that hardware wants: without one of them, a rule on all the others goes elsewhere.
   */
  private Set<ProbeField> required(Set<ProbeField> taken) throws ProbeException {
    EnumSet<ProbeField> required = EnumSet.noneOf(ProbeField.class);
    for (ProbeField field : taken) {
      Set<ProbeField> others = EnumSet.copyOf(taken);
      others.remove(field);
      others.removeIf(each -> Structure.needs(each, field));
      if (others.isEmpty()) {
        required.add(field); // nothing else can be matched; a rule on nothing is another matter
        continue;
      }
      Structure without = new Structure(others);
      ProbeRules rules = new ProbeRules(target, table, without, limits.secondsToLive());
      Location location = sure(rules, without, new String[1]);
      software |= location == Location.SOFTWARE;
      if (location != Location.HARDWARE) {
        required.add(field);
      }
    }
    return required;
  }
}
