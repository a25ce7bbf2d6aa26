package io.lockstep.core.flow.placed;

import io.lockstep.core.flow.placed.LogicalRule.Origin;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.placer.Placer;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.Step;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one switch should hold and what the node knows of it: the requested rules, the ledger of
 * what the store has, the placer with the entries of each layer, and the switch's errors. {@link
 * PlacedSwitch} owns it and lends it to its helpers for the length of a call or of a run. Control
 * loop only.
 */
final class SwitchPlacement {
  /** Flow-mods of a change that would be refused otherwise. */
  static final int MAX_FLOW_MODS = 4_096;

  private static final BoundedLog log = BoundedLog.of(SwitchPlacement.class);

  private final String name;
  private final SwitchPipeline pipeline;
  private final PlacementLedger ledger;
  private final LayerErrors errors;
  private final Map<RuleKey, LogicalRule> requested = new HashMap<>();
  private final RuleGroups groups = new RuleGroups();
  private @Nullable Placer placer;
  private long revision;

  /** The placement of a switch that this node masters under an epoch. */
  static SwitchPlacement of(
      SwitchConnection connection, long epoch, SwitchProfile profile, PlacementTables tables) {
    return new SwitchPlacement(
        connection.deviceId().toString(),
        new SwitchPipeline(profile, connection.features()),
        tables.ledger(connection.dpid(), epoch, profile.name()));
  }

  SwitchPlacement(String name, SwitchPipeline pipeline, PlacementLedger ledger) {
    this.name = name;
    this.pipeline = pipeline;
    this.ledger = ledger;
    this.errors = new LayerErrors(pipeline.profile().layers());
  }

  /** The switch's device id, for messages. */
  String name() {
    return name;
  }

  SwitchPipeline pipeline() {
    return pipeline;
  }

  PlacementLedger ledger() {
    return ledger;
  }

  LayerErrors errors() {
    return errors;
  }

  // ---- the requested rules ----

  void request(LogicalRule rule) {
    requested.put(rule.key(), rule);
  }

  void withdraw(RuleKey key) {
    requested.remove(key);
    groups.withdrawn(key);
  }

  /** What decisions install that the switch does not have as a whole yet. */
  RuleGroups groups() {
    return groups;
  }

  /**
   * Groups the requested rules of one decision: a rule that only sends packets to the node is the
   * guard of those others with which it shares packets.
   *
   * @return whether there was room for the group
   */
  boolean group(List<LogicalRule> decision) {
    List<RuleKey> entries = new ArrayList<>();
    Set<RuleKey> guards = new LinkedHashSet<>();
    decision.stream().filter(rule -> !rule.onlyPunts()).forEach(rule -> entries.add(rule.key()));
    for (LogicalRule rule : decision) {
      RuleKey key = rule.key();
      if (rule.onlyPunts()
          && entries.stream().anyMatch(entry -> entry.match().overlaps(key.match()))) {
        guards.add(key);
      }
    }
    return groups.add(entries, guards, key -> ledger.row(key) != null);
  }

  /** Whether the switch has not got a rule, and no group waits with it. */
  boolean isNew(RuleKey key) {
    return ledger.row(key) == null && !groups.hasEntry(key);
  }

  @Nullable LogicalRule requested(RuleKey key) {
    return requested.get(key);
  }

  /** All requested rules, not to be changed. */
  Map<RuleKey, LogicalRule> allRequested() {
    return Collections.unmodifiableMap(requested);
  }

  /** Whether the ledger has a rule with the treatment that is requested now. */
  boolean isAsRequested(RuleKey key) {
    PlacedRow row = ledger.row(key);
    LogicalRule rule = requested.get(key);
    return row != null && rule != null && row.treatment().equals(rule.treatment());
  }

  /** Whether the node keeps a rule in front, however little traffic it has. */
  boolean pinned(RuleKey key) {
    LogicalRule rule = requested.get(key);
    PlacedRow row = ledger.row(key);
    return rule != null ? rule.origin().pinned() : row != null && row.origin().pinned();
  }

  /** Whether the node itself requests a rule. */
  boolean isSystem(RuleKey key) {
    LogicalRule rule = requested.get(key);
    return rule != null && rule.origin() == Origin.SYSTEM;
  }

  // ---- the placer ----

  /** Whether the switch was read, so that there is a placer. */
  boolean known() {
    return placer != null;
  }

  /** Takes the placer that knows what a reading of the switch showed. */
  void recovered(Placer made) {
    placer = made;
  }

  Placer placer() {
    if (placer == null) {
      throw new IllegalStateException(name + ": the node has not read the switch yet");
    }
    return placer;
  }

  /** Whether a rule can win packets and no table holds it. */
  boolean homeless(RuleKey key) {
    return placer().live(key) && placer().layerOf(key) == pipeline.profile().controller();
  }

  // ---- changes ----

  /** A number that grows with each flow-mod and each confirmed step of a plan. */
  long revision() {
    return revision;
  }

  /** Flow-mods are on their way to the switch. */
  void sending() {
    revision++;
  }

  /** A step of a plan is done, and with it a change of the ledger. */
  void confirm(Step step, @Nullable PendingChange change, long nowMillis) {
    placer().confirm(step, nowMillis);
    revision++;
    if (change != null) {
      ledger.done(change);
    }
  }

  /** The switch rejected the flow-mod of a step. */
  void rejected(Step step, String error) {
    errors.add(step.layer(), error);
    log.info(name, "{}: the switch rejected {} {}: {}", name, step.kind(), step.entry(), error);
  }
}
