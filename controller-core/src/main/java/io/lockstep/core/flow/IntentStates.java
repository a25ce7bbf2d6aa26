package io.lockstep.core.flow;

import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.core.state.TableView.Held;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRule;

/**
 * Writes the states of the intended rules of one switch to the store: installed, refused, or
 * removed. A state belongs to the version of the intention that the node saw. Control loop only.
 */
final class IntentStates {
  private final DeviceId device;
  private final RuleTables tables;
  private final RuleOutcomes outcomes;

  IntentStates(DeviceId device, RuleTables tables, RuleOutcomes outcomes) {
    this.device = device;
    this.tables = tables;
    this.outcomes = outcomes;
  }

  /**
   * Writes the states of intended rules that are not being removed.
   *
   * @param errors why each rule is not installed; an empty text for one that is
   * @return the index in the store at which the states are written; on the control loop
   */
  CompletableFuture<Long> write(Map<IntentKey, String> errors) {
    RuleOutcomes.Collected states = outcomes.collect(device);
    errors.forEach(
        (id, error) -> {
          Held<Intent> intent = tables.intents().held(id);
          if (intent != null && !intent.value().remove()) {
            states.addIfNews(id, intent.version(), error);
          }
        });
    return states.write();
  }

  /**
   * Writes that rules are refused.
   *
   * @return completes when this node sees the states: with false if an intention has changed
   *     meanwhile, since the reason is about the earlier one
   */
  CompletableFuture<Boolean> refuse(Collection<IntentKey> ids, String why) {
    Map<IntentKey, String> errors = new LinkedHashMap<>();
    Map<IntentKey, Long> versions = new HashMap<>();
    for (IntentKey id : ids) {
      errors.put(id, why);
      Held<Intent> intent = tables.intents().held(id);
      if (intent != null) {
        versions.put(id, intent.version());
      }
    }
    CompletableFuture<Boolean> reported = new CompletableFuture<>();
    logFailure(
        "writing why rules are refused",
        write(errors)
            .thenAccept(
                at -> tables.whenVisible(at, () -> reported.complete(areUnchanged(versions)))));
    return reported;
  }

  private boolean areUnchanged(Map<IntentKey, Long> versions) {
    return versions.entrySet().stream().allMatch(one -> isStill(one.getKey(), one.getValue()));
  }

  /** Whether the intention still has this version, asks for the removal, or was removed. */
  private boolean isStill(IntentKey id, long version) {
    Held<Intent> intent = tables.intents().held(id);
    return intent == null || intent.value().remove() || intent.version() == version;
  }

  /**
   * Writes why the switch still has rules that are being removed. Their removals stay requested;
   * the state goes with the intention when the switch has lost the rule.
   */
  void refuseRemoval(Collection<IntentKey> ids, String why) {
    RuleOutcomes.Collected states = outcomes.collect(device);
    for (IntentKey id : ids) {
      Held<Intent> intent = tables.intents().held(id);
      if (intent != null && intent.value().remove()) {
        states.addRefusedRemoval(id, intent.version(), why);
      }
    }
    logFailure("writing why rules are not removed", states.write());
  }

  /** Writes that a rule has a match or treatment that the switch's placer cannot take. */
  void inexpressible(IntentKey id, FlowRule rule, @Nullable String why, String room) {
    String error =
        String.format(
            "%s: priority %d %s: %s (%s)",
            device, rule.priority(), rule.selector().criteria(), why, room);
    logFailure("writing states of rules", write(Map.of(id, error)));
  }

  /** Removes the intentions of rules that the switch has lost, unless they are requested again. */
  void removed(Collection<IntentKey> ids) {
    for (IntentKey id : ids) {
      Held<Intent> intent = tables.intents().held(id);
      if (intent != null && intent.value().remove()) {
        outcomes.forget(id, intent);
      }
    }
  }
}
