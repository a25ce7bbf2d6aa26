package io.lockstep.core.flow.placed;

import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.placer.Refusal;
import io.lockstep.placer.RuleKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the agent has to report of rules that the switch took, refused or is to lose. Keeps the
 * record of rejections and the groups in step with that. Control loop only.
 */
final class RuleVerdicts {
  private final SwitchPlacement placement;
  private final SwitchRejections rejections;
  private final PlacementReporter reporter;

  /**
   * A rejection.
   *
   * @param requested whether someone requests the rule; else its removal is rejected
   * @param why to be reported; null where that was reported before
   * @param ended entries of the rule's groups, which end with it
   */
  record Rejection(boolean requested, @Nullable String why, Set<RuleKey> ended) {}

  RuleVerdicts(SwitchPlacement placement, SwitchRejections rejections, PlacementReporter reporter) {
    this.placement = placement;
    this.rejections = rejections;
    this.reporter = reporter;
  }

  /** Those of the rules that are installed as they are requested now. */
  List<RuleKey> asRequested(List<RuleKey> placed) {
    List<RuleKey> asRequested = placed.stream().filter(placement::isAsRequested).toList();
    asRequested.forEach(rejections::forget);
    asRequested.forEach(placement.groups()::placed);
    return asRequested;
  }

  /** Rejects a rule or its removal, and with a rule those that must not be without it. */
  Rejection reject(RuleKey key, Refusal refusal) {
    boolean requested = placement.requested(key) != null;
    if (!requested && placement.ledger().row(key) == null) {
      return new Rejection(false, null, Set.of()); // It ended with another rule of its group.
    }
    Set<RuleKey> ended = requested ? placement.groups().endGroupsOf(key) : Set.of();
    String why = reporter.rejection(key, refusal);
    boolean isNews = rejections.add(key, refusal, why);
    return new Rejection(requested, isNews ? why : null, ended);
  }

  /** Rejects a rule that is still in the switch; why, to be reported. */
  String evict(RuleKey victim, Refusal refusal) {
    String why = reporter.rejection(refusal);
    rejections.add(victim, refusal, why);
    return why;
  }

  /**
   * Waits until every node can know of rejections: so no node takes a rule for installed when
   * packets cannot match it any more.
   *
   * @param then gets the rules whose requests did not change meanwhile
   */
  static void whenReported(
      Map<RuleKey, CompletableFuture<Boolean>> reports, Consumer<List<RuleKey>> then) {
    logFailure(
        "reporting evicted rules",
        CompletableFuture.allOf(reports.values().toArray(CompletableFuture[]::new))
            .thenRun(() -> then.accept(reported(reports))));
  }

  private static List<RuleKey> reported(Map<RuleKey, CompletableFuture<Boolean>> reports) {
    List<RuleKey> reported = new ArrayList<>();
    reports.forEach(
        (key, report) -> {
          if (report.join()) {
            reported.add(key);
          }
        });
    return reported;
  }
}
