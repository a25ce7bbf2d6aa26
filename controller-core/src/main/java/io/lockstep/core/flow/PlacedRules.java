package io.lockstep.core.flow;

import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.core.flow.entry.HeaderSpace.Inexpressible;
import io.lockstep.core.flow.placed.LogicalRule;
import io.lockstep.core.flow.placed.LogicalRule.Origin;
import io.lockstep.core.flow.placed.PlacedRow;
import io.lockstep.core.flow.placed.PlacedSwitch;
import io.lockstep.core.flow.placed.PlacementListener;
import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.PlacementTables;
import io.lockstep.core.flow.placed.RuleReport;
import io.lockstep.core.flow.placed.SwitchEnvironment;
import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.state.TableView.Held;
import io.lockstep.placer.RuleKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the rules of a switch with bounded tables: intended rules, applications' soft rules, and
 * the node's own. They are one logical table, which a {@link PlacedSwitch} brings into the switch.
 * Requests with one priority and match are one rule of it. The first request decides its treatment;
 * later ones with that treatment share the rule, and those with another are refused.
 *
 * <p>The node keeps the time-outs, by the counters that it reads back. An entry that the switch
 * removed by itself would leave covers behind that lead to nothing. Control loop only.
 */
final class PlacedRules implements SwitchRules, PlacementListener {
  private static final String CLASH =
      "another rule has the same priority and match and treats its packets otherwise";

  private final SwitchConnection connection;
  private final RuleTables tables;
  private final RuleOutcomes outcomes;
  private final IntentStates states;
  private final SwitchEnvironment around;
  private final Map<IntentKey, FlowStats> counters;
  private final SoftRefusals refusals;
  private final PlacedSwitch placed;
  private final ReadBackPace readBackPace;
  private final Map<RuleKey, Slot> slots = new HashMap<>();

  /** The slot of each intended rule. */
  private final Map<IntentKey, Slot> slotOf = new HashMap<>();

  private boolean closed;

  PlacedRules(
      SwitchConnection connection,
      long epoch,
      SwitchProfiles.Chosen chosen,
      RuleTables tables,
      PlacementTables placements,
      RuleOutcomes outcomes,
      SwitchEnvironment around,
      Map<IntentKey, FlowStats> counters,
      SoftRefusals refusals) {
    this.connection = connection;
    this.tables = tables;
    this.outcomes = outcomes;
    this.states = new IntentStates(connection.deviceId(), tables, outcomes);
    this.around = around;
    this.counters = counters;
    this.refusals = refusals;
    this.placed = new PlacedSwitch(connection, epoch, chosen, placements, around, this);
    this.readBackPace = new ReadBackPace(around.alarm(), this::readBackUnlessClosed);
  }

  @Override
  public SwitchConnection connection() {
    return connection;
  }

  @Override
  public void start() {
    for (LogicalRule rule : SoftRules.own()) {
      Slot slot = slot(rule.key());
      slot.setOwn(rule);
      want(slot);
    }
    for (IntentKey id : tables.keysOf(connection.dpid())) {
      changed(id, tables.intents().known(id));
    }
    placed.start();
  }

  @Override
  public void close() {
    closed = true;
    placed.stop();
    outcomes.close();
  }

  @Override
  public void readBack() {
    placed.readBack();
  }

  /** The entries have no time-outs, so another controller deleted one. A read-back finds it now. */
  @Override
  public void flowsRemoved(RemovedFlows.Taken removed) {
    readBackPace.request();
  }

  private void readBackUnlessClosed() {
    if (!closed) {
      readBack();
    }
  }

  private Slot slot(RuleKey key) {
    return slots.computeIfAbsent(key, Slot::new);
  }

  private void want(Slot slot) {
    LogicalRule rule = slot.wanted();
    if (rule != null) {
      placed.request(rule);
    } else {
      slots.computeIfPresent(slot.key(), (key, one) -> one.leaving().isEmpty() ? null : one);
      placed.withdraw(slot.key());
    }
  }

  // ---- intended rules ----

  @Override
  public void changed(IntentKey id, @Nullable Intent now) {
    Slot before = slotOf.get(id);
    if (now == null || now.remove()) {
      leave(id, before);
      if (now != null) {
        removing(id, before);
      }
      return;
    }
    LogicalRule rule;
    try {
      rule = PlaceableIntents.logical(now);
    } catch (Inexpressible e) {
      leave(id, before);
      states.inexpressible(id, now.rule(), e.getMessage(), placed.reporter().room());
      return;
    }
    if (before != null && !before.key().equals(rule.key())) {
      leave(id, before);
    }
    Slot slot = slot(rule.key());
    slotOf.put(id, slot);
    slot.intents().put(id, rule);
    want(slot);
  }

  /** The intended rule is no request for its former slot any more. */
  private void leave(IntentKey id, @Nullable Slot before) {
    if (before != null) {
      slotOf.remove(id);
      before.intents().remove(id);
      want(before);
    }
  }

  /**
   * Removes the intention when the switch has lost the rule, or another request keeps the entry.
   */
  private void removing(IntentKey id, @Nullable Slot slot) {
    if (slot != null && slot.wanted() == null) {
      Slot going = slot(slot.key());
      going.leaving().add(id);
      placed.withdraw(slot.key());
    } else {
      Held<Intent> intent = tables.intents().held(id);
      if (intent == null) {
        return;
      }
      RuleKey key = PlaceableIntents.keyOf(intent.value());
      Slot there = key == null ? null : slot(key);
      if (there == null || there.wanted() != null) {
        outcomes.forget(id, intent);
      } else {
        there.leaving().add(id);
        placed.withdraw(there.key());
      }
    }
  }

  // ---- outcomes ----

  @Override
  public void restored(Collection<PlacedRow> rows) {
    for (PlacedRow row : rows) {
      if (row.origin() == Origin.SOFT) {
        Slot slot = slot(row.key());
        slot.setSoft(SoftRules.of(row));
        slot.born(row.bornMillis());
        want(slot);
      } else if (slots.containsKey(row.key())) {
        slot(row.key()).born(row.bornMillis());
      }
    }
  }

  @Override
  public void placed(Collection<RuleKey> keys) {
    Map<IntentKey, String> errors = new LinkedHashMap<>();
    for (RuleKey key : keys) {
      Slot slot = slots.get(key);
      LogicalRule wanted = slot == null ? null : slot.wanted();
      if (slot != null && wanted != null) {
        slot.placed(around.wallMillis().getAsLong());
        endRemovals(slot); // the entry stays for another request
        slot.intents()
            .forEach(
                (id, rule) ->
                    errors.put(id, rule.treatment().equals(wanted.treatment()) ? "" : clash(key)));
      }
    }
    logFailure("writing states of rules", states.write(errors));
  }

  private String clash(RuleKey key) {
    return String.format(
        "%s: %s: %s (%s)", connection.deviceId(), key, CLASH, placed.reporter().room());
  }

  @Override
  public CompletableFuture<Boolean> refused(RuleKey key, String why) {
    countSoft(key);
    return displaced(key, why);
  }

  @Override
  public CompletableFuture<Boolean> displaced(RuleKey key, String why) {
    Slot slot = slots.get(key);
    if (slot == null) {
      return CompletableFuture.completedFuture(true);
    }
    CompletableFuture<Boolean> reported = states.refuse(slot.intents().keySet(), why);
    endSoft(slot);
    return reported;
  }

  @Override
  public void removalRefused(RuleKey key, String why) {
    Slot slot = slots.get(key);
    if (slot != null) {
      states.refuseRemoval(slot.leaving(), why);
    }
  }

  @Override
  public void groupRejected(RuleKey key) {
    countSoft(key);
    Slot slot = slots.get(key);
    if (slot != null) {
      endSoft(slot);
    }
  }

  private void countSoft(RuleKey key) {
    Slot slot = slots.get(key);
    LogicalRule soft = slot == null ? null : slot.soft();
    if (soft != null) {
      refusals.count(soft.owner());
    }
  }

  /** Ends an application's request, if there is one; it comes again with the next packet. */
  private void endSoft(Slot slot) {
    if (slot.soft() != null) {
      slot.setSoft(null);
      want(slot);
    }
  }

  @Override
  public void removed(RuleKey key) {
    Slot slot = slots.get(key);
    if (slot == null) {
      return;
    }
    endRemovals(slot);
    if (slot.wanted() == null) {
      slots.remove(key);
    }
  }

  private void endRemovals(Slot slot) {
    states.removed(List.copyOf(slot.leaving()));
    slot.leaving().clear();
  }

  // ---- time-outs ----

  @Override
  public void counted() {
    long now = around.wallMillis().getAsLong();
    for (Slot slot : List.copyOf(slots.values())) {
      FlowStats stats = placed.reporter().counters(slot.key());
      slot.intents().keySet().forEach(id -> counters.compute(id, (any, before) -> stats));
      slot.seen(stats == null ? -1 : stats.packets(), now);
      LogicalRule soft = slot.soft();
      if (soft != null && slot.over(soft, now)) {
        endSoft(slot);
      }
      for (Map.Entry<IntentKey, LogicalRule> one : Map.copyOf(slot.intents()).entrySet()) {
        if (slot.over(one.getValue(), now)) {
          outcomes.expire(one.getKey());
        }
      }
    }
  }

  // ---- soft rules ----

  @Override
  public void soft(List<FlowMod> mods) {
    List<FlowMod> additions = new ArrayList<>(mods.size());
    for (FlowMod mod : mods) {
      if (mod.operation() == FlowMod.Operation.ADD) {
        additions.add(mod);
      } else {
        requestSoft(additions);
        additions.clear();
        removeSoft(mod);
      }
    }
    requestSoft(additions);
  }

  /** Requests what one decision of an application installs, as {@link PlacedSwitch} says. */
  private void requestSoft(List<FlowMod> additions) {
    List<LogicalRule> rules = SoftRules.of(additions, connection.deviceId());
    if (rules.size() < additions.size()) {
      additions.forEach(mod -> refusals.count(mod.cookie()));
    } else if (!rules.isEmpty()) {
      placed.requestTogether(rules.stream().map(this::withSoft).toList());
    }
  }

  /** Sets an application's request, and gives the one that counts. */
  private LogicalRule withSoft(LogicalRule rule) {
    Slot slot = slot(rule.key());
    slot.setSoft(rule);
    return Objects.requireNonNullElse(slot.wanted(), rule);
  }

  private void removeSoft(FlowMod mod) {
    for (Slot slot : List.copyOf(slots.values())) {
      LogicalRule soft = slot.soft();
      if (soft != null && SoftRules.removes(mod, soft)) {
        endSoft(slot);
      }
    }
  }

  // ---- for operators ----

  @Override
  public String trouble() {
    return placed.reporter().trouble(around.wallMillis().getAsLong());
  }

  @Override
  public String idOf(RuleKey key) {
    Slot slot = slots.get(key);
    return Long.toHexString(
        slot == null || slot.intents().isEmpty()
            ? PassingIds.of(key)
            : slot.intents().keySet().iterator().next().ruleId());
  }

  @Override
  public @Nullable PlacementReport report() {
    return placed.reporter().report();
  }

  @Override
  public @Nullable RuleReport explain(IntentKey id) {
    Intent intent = tables.intents().known(id); // also one that is being removed
    RuleKey key =
        intent == null
            ? PassingIds.find(slots.keySet(), placed.reporter().missed(), id.ruleId())
            : PlaceableIntents.keyOf(intent);
    return key == null ? null : placed.reporter().explain(key);
  }
}
