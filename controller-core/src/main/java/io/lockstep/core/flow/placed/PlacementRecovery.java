package io.lockstep.core.flow.placed;

import io.lockstep.core.flow.entry.RewrittenFields;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.placer.LogicalChange;
import io.lockstep.placer.PlacementImage;
import io.lockstep.placer.PlacementImage.InLayer;
import io.lockstep.placer.PlacementImage.Known;
import io.lockstep.placer.Placer;
import io.lockstep.placer.PlacerOptions;
import io.lockstep.placer.RestoredPlacer;
import io.lockstep.placer.RuleKey;
import io.lockstep.store.Bytes;
import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds where a new master goes on, or a master whose barrier the switch did not answer: from the
 * ledger, and from what the switch shows. Marks as many of the pending changes as done as the
 * switch shows. Changes nothing but the placement.
 */
final class PlacementRecovery {
  private static final BoundedLog log = BoundedLog.of(PlacementRecovery.class);

  /** Exchanges in one slice of improvement: some four flow-mods each. */
  private static final int EXCHANGES = 32;

  private static final PlacerOptions OPTIONS =
      PlacerOptions.standard()
          .withControllerServes(false)
          .withMaxExchanges(EXCHANGES)
          .withAggregatedCovers(true)
          .withRewrites(RewrittenFields::of);

  private final SwitchPlacement placement;
  private final SwitchPipeline pipeline;
  private final PlacementLedger ledger;
  private final FlowTableSnapshot seen;

  PlacementRecovery(SwitchPlacement placement, FlowTableSnapshot seen) {
    this.placement = placement;
    this.pipeline = placement.pipeline();
    this.ledger = placement.ledger();
    this.seen = seen;
  }

  /**
   * Gives the placement a placer that knows the entries of the switch.
   *
   * @return flow-mods to send first, part by part: deletions of what must not be there, then the
   *     last entry of each table, from the last table on, so that no table leads to one that does
   *     not work
   */
  FlowModSequence run(long nowMillis) {
    String switchName = placement.name();
    if (ledger.pending().isEmpty() && ledger.rows().isEmpty()) {
      adopt(nowMillis);
    } else if (seen.ours.isEmpty()) {
      ledger.clear(); // The switch lost all entries, so the node adds all rules again.
      ledger.end();
    }
    List<Long> capacities = seen.capacities();
    List<PendingChange> pending = ledger.pendingFirst(this::shown);
    List<LogicalChange> changes = pending.stream().map(PendingChange::logical).toList();
    List<Known> rules = new ArrayList<>();
    ledger.rows().forEach(row -> rules.add(row.known(row.weight(), nowMillis)));
    PlacementImage image = new PlacementImage(rules, seen.entries(this::treatments), capacities);
    Optional<RestoredPlacer> restored =
        Placer.restore(switchName, pipeline.profile(), OPTIONS, image, changes);
    ledger.capacities(capacities);
    List<FlowMod> mods = new ArrayList<>(seen.strays);
    if (restored.isEmpty()) {
      log.error(
          switchName,
          "{}: the stored rules contradict each other, so the node adds all rules again",
          switchName);
      ledger.clear();
      ledger.end();
      seen.ours
          .keySet()
          .forEach(at -> mods.add(pipeline.delete(pipeline.table(at.layer()), at.key())));
      Placer empty = new Placer(switchName, pipeline.profile(), OPTIONS);
      return recovered(empty, mods, pipeline.missEntries());
    }
    for (int i = 0; i < restored.get().changesDone(); i++) {
      ledger.done(pending.get(i));
    }
    ledger.end();
    ledger.capacities(capacities);
    for (InLayer entry : restored.get().toDelete()) {
      mods.add(pipeline.delete(pipeline.table(entry.layer()), entry.key()));
    }
    return recovered(restored.get().placer(), mods, seen.missingMissEntries());
  }

  private FlowModSequence recovered(
      Placer placer, List<FlowMod> deletions, List<FlowMod> lastEntries) {
    placement.recovered(placer);
    List<List<FlowMod>> parts = new ArrayList<>();
    parts.add(deletions);
    for (int i = lastEntries.size() - 1; i >= 0; i--) {
      parts.add(List.of(lastEntries.get(i)));
    }
    return new FlowModSequence(parts);
  }

  /** Whether the switch shows that one of several independent changes is done. */
  private boolean shown(PendingChange one) {
    PlacedRow row = one.row();
    if (row == null) {
      return false;
    }
    long cookie = SwitchPipeline.cookie(row.key(), row.treatment());
    for (int layer = 0; layer < pipeline.profile().layers().size(); layer++) {
      FlowStats entry = seen.ours.get(new FlowTableSnapshot.Location(layer, row.key()));
      if (entry != null && entry.cookie() == cookie) {
        return true;
      }
    }
    return false;
  }

  /** The treatments that an entry with this cookie may have. */
  private List<Bytes> treatments(RuleKey key, long cookie) {
    List<Bytes> candidates = new ArrayList<>();
    PlacedRow row = ledger.row(key);
    if (row != null) {
      candidates.add(row.treatment());
    }
    for (PendingChange one : ledger.pending()) {
      PlacedRow coming = one.row();
      if (coming != null && coming.key().equals(key)) {
        candidates.add(coming.treatment());
      }
    }
    LogicalRule rule = placement.requested(key);
    candidates.removeIf(code -> SwitchPipeline.cookie(key, code) != cookie);
    if (rule != null && rule.formerCookie() != 0 && rule.formerCookie() == cookie) {
      candidates.add(rule.treatment());
    }
    return candidates;
  }

  /**
   * Takes over a switch that was not placed before: a requested rule whose entry the switch shows
   * counts as placed, so that the node need not write it again.
   */
  private void adopt(long nowMillis) {
    Map<RuleKey, PlacedRow> adopted = new LinkedHashMap<>();
    seen.ours.forEach(
        (at, entry) -> {
          LogicalRule rule = placement.requested(at.key());
          if (rule != null && rule.formerCookie() != 0 && rule.formerCookie() == entry.cookie()) {
            adopted.put(at.key(), PlacedRow.of(rule, true, 0, nowMillis));
          }
        });
    adopted.values().forEach(ledger::put);
  }
}
