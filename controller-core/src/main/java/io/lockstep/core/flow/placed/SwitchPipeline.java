package io.lockstep.core.flow.placed;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.flow.entry.SelectorFromMatch;
import io.lockstep.core.flow.entry.TreatmentCodec;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.SwitchFeatures;
import io.lockstep.placer.Refusal;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.Step;
import io.lockstep.placer.profile.Cover;
import io.lockstep.placer.profile.FixedPipeline;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.TernaryMatch;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficTreatment;

/**
 * The pipeline of one switch: the table of each layer, and the flow-mods that write its entries.
 * Each table ends in an entry of priority 0 that matches everything. It sends packets to the next
 * table, and in the last table to the controller (OpenFlow 1.3.5 section 5.4). OpenFlow 1.0 has no
 * such entry; a miss goes to the controller. A rule of priority 0 that matches everything replaces
 * the last entry of its table; the entry comes back when the rule is removed. The node writes
 * entries with ADD, which replaces an equal entry, since MODIFY would keep the cookie. No entry has
 * time-outs. Immutable.
 */
final class SwitchPipeline {
  static final RuleKey MISS = new RuleKey(0, TernaryMatch.any());
  private static final TrafficTreatment NOTHING = DefaultTrafficTreatment.emptyTreatment();

  private final SwitchProfile profile;
  private final boolean missEntries;
  private final @Nullable FixedEntries fixed;

  /** The pipeline of a switch with this profile and these features. */
  SwitchPipeline(SwitchProfile profile, SwitchFeatures features) {
    this.profile = profile;
    this.missEntries = !features.isOpenFlow10();
    FixedPipeline around = profile.fixed();
    this.fixed = around == null ? null : new FixedEntries(around, profile.layers().get(0).table());
  }

  /** The form of entries in the switch; null where it takes them as they are. */
  @Nullable FixedEntries fixed() {
    return fixed;
  }

  /** Why the switch has no form for a rule; null where it has one. */
  @Nullable Refusal whyNot(String switchName, LogicalRule rule) {
    String why = fixed == null ? null : fixed.whyNot(rule.key(), treatment(rule.treatment()));
    LayerProfile only = profile.layers().get(0);
    return why == null
        ? null
        : new Refusal(
            Refusal.Reason.CANNOT_HOLD,
            switchName,
            only.id(),
            only.table(),
            rule.key(),
            only.capacity().units(),
            0,
            why);
  }

  SwitchProfile profile() {
    return profile;
  }

  /** The OpenFlow tables of the layers, from the first on. */
  private NavigableSet<Integer> tables() {
    NavigableSet<Integer> tables = new TreeSet<>();
    profile.layers().forEach(layer -> tables.add(layer.table()));
    return tables;
  }

  /** The last entry of each table; none with OpenFlow 1.0. */
  List<FlowMod> missEntries() {
    List<FlowMod> all = new ArrayList<>();
    if (missEntries) {
      tables().forEach(table -> all.add(missEntry(table)));
    }
    return all;
  }

  FlowMod missEntry(int table) {
    return mod(FlowMod.Operation.ADD, table, MISS, Cookies.TABLE_MISS, onward(table));
  }

  private TrafficTreatment onward(int table) {
    Integer next = tables().higher(table);
    DefaultTrafficTreatment.Builder on =
        (DefaultTrafficTreatment.Builder) DefaultTrafficTreatment.builder();
    return next == null ? on.punt().build() : on.transition(next).build();
  }

  /** Units that the last entry of a table takes in a layer. */
  int missUnits(int layer) {
    LayerProfile one = profile.layers().get(layer);
    boolean here =
        profile.locationsVisible() || profile.layerOf(one.table(), MISS.match(), 0) == layer;
    return missEntries && here ? one.capacity().plannedUnitsOf(0) : 0;
  }

  int table(int layer) {
    return profile.layers().get(layer).table();
  }

  /** The flow-mod of a step. */
  FlowMod mod(Step step) {
    if (step.kind() == Step.Kind.DELETE) {
      return delete(table(step.layer()), step.entry());
    }
    return write(step.layer(), step.entry(), step.rule(), step.treatment());
  }

  /** The flow-mod that writes an entry; a cover where it has no treatment. */
  FlowMod write(int layer, RuleKey entry, RuleKey rule, @Nullable Bytes treatment) {
    return treatment == null ? cover(layer, entry, rule) : terminal(table(layer), entry, treatment);
  }

  private FlowMod terminal(int table, RuleKey key, Bytes code) {
    return mod(FlowMod.Operation.ADD, table, key, cookie(key, code), treatment(code));
  }

  private FlowMod cover(int layer, RuleKey entry, RuleKey rule) {
    long cookie = Cookies.cover(RowKey.hash(rule));
    return mod(FlowMod.Operation.ADD, table(layer), entry, cookie, cover(layer));
  }

  /** The treatment of a cover in a layer: to the next table, or to the controller. */
  TrafficTreatment cover(int layer) {
    return profile.layers().get(layer).cover() == Cover.GOTO
        ? DefaultTrafficTreatment.builder().transition(table(layer + 1)).build()
        : DefaultTrafficTreatment.builder().punt().build();
  }

  /** Whether a table ends in an entry of this priority and match. */
  boolean isLast(int table, RuleKey key) {
    return missEntries && key.equals(MISS) && tables().contains(table);
  }

  /** The flow-mod that removes an entry; it puts the last entry of a table back. */
  FlowMod delete(int table, RuleKey key) {
    if (isLast(table, key)) {
      return missEntry(table);
    }
    return mod(FlowMod.Operation.DELETE_STRICT, table, key, 0, NOTHING);
  }

  static TrafficTreatment treatment(Bytes code) {
    return TreatmentCodec.read(new ByteReader(code));
  }

  static long cookie(RuleKey key, Bytes treatment) {
    return Cookies.placed(RowKey.hash(key, treatment));
  }

  private static FlowMod mod(
      FlowMod.Operation operation,
      int table,
      RuleKey key,
      long cookie,
      TrafficTreatment treatment) {
    return new FlowMod(
        operation,
        table,
        key.priority(),
        cookie,
        0,
        0,
        0,
        false,
        PacketIn.NO_BUFFER,
        SelectorFromMatch.of(key.match()),
        treatment);
  }
}
