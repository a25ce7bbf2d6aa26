package io.lockstep.core.flow.placed;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.southbound.SwitchErrors;
import io.lockstep.placer.LogicalChange;
import io.lockstep.placer.Plan;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * New rules of which each takes one flow-mod, for packets that no other of them concerns: no packet
 * can tell in which order they come, so they are planned one after the other, as if each were done,
 * and sent together. One that the switch refuses is taken out of the ledger again, which no other
 * of them notices. Control loop only.
 */
final class BatchRun {
  private final Site site;
  private final List<Plan> plans = new ArrayList<>();
  private final List<PlacedRow> rows = new ArrayList<>();

  /** How a batch ends; called once. */
  interface End {
    /** What the switch said of each rule. */
    void done(List<RuleKey> installed, List<RefusedRule> refused);

    /** Nobody knows what the switch did. */
    void unknown(String reason);
  }

  /** A rule that the switch refused. */
  record RefusedRule(RuleKey key, int layer, String error) {}

  BatchRun(Site site) {
    this.site = site;
  }

  int size() {
    return plans.size();
  }

  /** Whether a rule concerns packets of another in here. */
  boolean overlaps(RuleKey key) {
    for (PlacedRow row : rows) {
      if (row.key().match().overlaps(key.match())) {
        return true;
      }
    }
    return false;
  }

  /** Whether a plan may be a part of a batch. */
  static boolean takes(Plan plan) {
    return plan.steps().size() == 1 && plan.steps().get(0).kind() == Step.Kind.ADD;
  }

  /** Adds a plan, and takes it as done. */
  void add(Plan plan, PlacedRow row) {
    site.placer().confirm(plan, site.now());
    plans.add(plan);
    rows.add(row);
  }

  /** Stores what is to come, sends it and waits. */
  void run(End end) {
    List<PendingChange> pending = new ArrayList<>();
    List<FlowMod> mods = new ArrayList<>();
    rows.forEach(row -> pending.add(new PendingChange.Put(row)));
    plans.forEach(plan -> mods.add(site.layout.mod(plan.steps().get(0))));
    site.ledger.begin(pending, true);
    site.write(() -> site.send(mods, outcomes -> sent(outcomes, end)));
  }

  private void sent(List<FlowModOutcome> outcomes, End end) {
    List<RuleKey> installed = new ArrayList<>();
    List<RefusedRule> refused = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      RuleKey key = rows.get(i).key();
      FlowModOutcome outcome = outcomes.get(i);
      Step step = plans.get(i).steps().get(0);
      boolean known =
          switch (outcome.kind()) {
            case INSTALLED -> {
              installed.add(key);
              site.ledger.done(new PendingChange.Put(rows.get(i)));
              yield true;
            }
            case REFUSED -> {
              refused.add(new RefusedRule(key, step.layer(), outcome.why()));
              takeBack(step);
              yield true;
            }
            case UNKNOWN -> false;
          };
      if (!known) {
        end.unknown(outcome.why());
        return;
      }
    }
    site.ledger.end();
    learn(refused);
    end.done(installed, refused);
  }

  private void takeBack(Step added) {
    site.placer()
        .confirm(
            new Step(
                Step.Kind.DELETE,
                added.layer(),
                added.entry(),
                added.rule(),
                null,
                true,
                new LogicalChange.Drop(added.rule())),
            site.now());
  }

  /** Tells the placer, once all that was refused is out of its ledger. */
  private void learn(List<RefusedRule> refused) {
    for (RefusedRule rule : refused) {
      for (Plan plan : plans) {
        if (plan.steps().get(0).rule().equals(rule.key())) {
          // What it would do instead is asked for when the rule's turn comes again.
          site.placer().refused(plan, 0, SwitchErrors.isTableFull(rule.error()));
        }
      }
    }
  }
}
