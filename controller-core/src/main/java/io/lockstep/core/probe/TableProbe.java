package io.lockstep.core.probe;

import io.lockstep.core.probe.CapacitySearch.Found;
import io.lockstep.core.probe.CapacitySearch.Trial;
import io.lockstep.core.probe.ProbeReport.Row;
import io.lockstep.core.probe.ProbeReport.Table;
import io.lockstep.core.southbound.FlowStats;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Probes one table, row by row: a field is added to those that the table took before; where a rule
 * with it does not go to hardware, the field is left out of what follows. Used by the probe's
 * thread.
 */
final class TableProbe {
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
    if (table > 0) {
      ProbeRules.openWay(target, table, limits.secondsToLive());
    }
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
    return new Table(table, rows, required(taken), software);
  }

  private Row row(ProbeField field, Structure structure) throws ProbeException {
    ProbeRules rules = new ProbeRules(target, table, structure, limits.secondsToLive());
    String[] said = {""};
    Location first = witness(rules, structure, said);
    if (first != Location.HARDWARE) {
      if (first == Location.REFUSED && ProbeRules.isAboutRoom(said[0])) {
        throw new ProbeException("table " + table + " has no room for a single rule: " + said[0]);
      }
      return new Row(field, structure.toString(), 0, true, name(first), said[0]);
    }
    Found found =
        CapacitySearch.search(
            wanted -> trial(rules, structure, wanted, said), Location.HARDWARE, limits.most());
    rules.fill(0);
    return new Row(
        field,
        structure.toString(),
        found.rules(),
        found.bounded(),
        name(found.overflow()),
        found.overflow() == Location.REFUSED ? said[0] : "");
  }

  private Trial trial(ProbeRules rules, Structure structure, int wanted, String[] said)
      throws ProbeException {
    String refusal = rules.fill(wanted - 1);
    if (!refusal.isEmpty()) {
      said[0] = refusal;
      return new Trial(Location.REFUSED, rules.filled());
    }
    Location last = witness(rules, structure, said);
    return new Trial(last, last == Location.REFUSED ? rules.filled() : -1);
  }

  /** Where the witness goes beside the rules that are in the table now; it is out again. */
  private Location witness(ProbeRules rules, Structure structure, String[] said)
      throws ProbeException {
    String refusal = rules.addWitness();
    if (!refusal.isEmpty()) {
      said[0] = refusal;
      return Location.REFUSED;
    }
    if (!shown(structure, rules.filled())) {
      said[0] = "taken without an error and not among the entries";
      return Location.REFUSED;
    }
    Location location = judge.judge(structure, ProbeRules.cookie(table));
    software |= location == Location.SOFTWARE;
    rules.removeWitness();
    return location;
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
      if (witness(rules, without, new String[1]) != Location.HARDWARE) {
        required.add(field);
      }
    }
    return required;
  }

  private static String name(Location location) {
    return location.name().toLowerCase(Locale.ROOT);
  }
}
