package io.lockstep.core.flow;

import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.TableView.Held;
import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.FlowRuleOperations;

/**
 * Carries out onos-api's staged operations: writes a stage to the store, waits until the switches
 * have it, and begins the next. An operation ends in error when a switch rejects a rule or its
 * removal, or a stage takes longer than its deadline; then its later stages do not begin.
 *
 * <p>{@link #changed} is called on the control loop, {@link #apply} on any thread.
 */
final class RuleOperations {
  private static final BoundedLog log = BoundedLog.of(RuleOperations.class);
  private static final int MAX_OPEN = 1_024;
  private static final long STAGE_MILLIS = 30_000;

  private final IntendedRules rules;
  private final RuleTables tables;
  private final Alarm alarm;
  private final Queue<Stage> open = new ConcurrentLinkedQueue<>();
  private final AtomicInteger openCount = new AtomicInteger();

  RuleOperations(IntendedRules rules, RuleTables tables, Alarm alarm) {
    this.rules = rules;
    this.tables = tables;
    this.alarm = alarm;
  }

  void apply(FlowRuleOperations operations) {
    if (openCount.incrementAndGet() > MAX_OPEN) {
      openCount.decrementAndGet();
      log.warn("full", "{} flow rule operations are under way: another is refused", MAX_OPEN);
      operations.callback().onError(operations);
      return;
    }
    begin(operations, new ArrayDeque<>(operations.stages()));
  }

  private void begin(FlowRuleOperations operations, Queue<Set<FlowRuleOperation>> stages) {
    Set<FlowRuleOperation> next = stages.poll();
    if (next == null) {
      openCount.decrementAndGet();
      operations.callback().onSuccess(operations);
      return;
    }
    Stage stage = new Stage(operations, stages, next);
    try {
      stage.write();
    } catch (IllegalArgumentException e) {
      log.warn("refused", "flow rule operations refused: {}", e.getMessage());
      openCount.decrementAndGet();
      operations.callback().onError(operations);
    }
  }

  /** Rules or their states changed. */
  void changed() {
    for (Iterator<Stage> each = open.iterator(); each.hasNext(); ) {
      Stage stage = each.next();
      Progress progress = stage.progress();
      if (progress != Progress.WAITING) {
        each.remove();
        end(stage, progress == Progress.DONE);
      }
    }
  }

  private void end(Stage stage, boolean done) {
    if (!stage.ended.complete(done)) {
      return;
    }
    if (done) {
      begin(stage.operations, stage.later);
    } else {
      openCount.decrementAndGet();
      stage.operations.callback().onError(stage.operations);
    }
  }

  private enum Progress {
    WAITING,
    DONE,
    FAILED
  }

  /** One stage under way. */
  private final class Stage {
    final FlowRuleOperations operations;
    final Queue<Set<FlowRuleOperation>> later;
    final Set<FlowRuleOperation> now;
    final Map<IntentKey, Long> versions = new HashMap<>();
    final CompletableFuture<Boolean> ended = new CompletableFuture<>();

    Stage(
        FlowRuleOperations operations,
        Queue<Set<FlowRuleOperation>> later,
        Set<FlowRuleOperation> now) {
      this.operations = operations;
      this.later = later;
      this.now = now;
    }

    void write() {
      List<FlowRule> adds = new ArrayList<>();
      List<FlowRule> removes = new ArrayList<>();
      for (FlowRuleOperation operation : now) {
        (operation.type() == FlowRuleOperation.Type.REMOVE ? removes : adds).add(operation.rule());
      }
      List<CompletableFuture<Long>> written = new ArrayList<>(rules.intend(adds, false));
      written.addAll(rules.intend(removes, true));
      List<FlowRule> all = new ArrayList<>(adds);
      all.addAll(removes);
      logFailure(
          "writing a stage of rules",
          CompletableFuture.allOf(written.toArray(CompletableFuture[]::new))
              .thenRun(() -> alarm.after(0, () -> await(all, written))));
    }

    /** The store has all rules of the stage. On the control loop from here. */
    private void await(List<FlowRule> all, List<CompletableFuture<Long>> written) {
      for (int i = 0; i < all.size(); i++) {
        versions.put(IntentKey.of(all.get(i)), written.get(i).getNow(-1L));
      }
      open.add(this);
      alarm.after(
          STAGE_MILLIS,
          () -> {
            if (open.remove(this)) {
              end(this, false);
            }
          });
      changed();
    }

    Progress progress() {
      Progress all = Progress.DONE;
      for (Map.Entry<IntentKey, Long> entry : versions.entrySet()) {
        Progress one = progress(entry.getKey(), entry.getValue());
        if (one == Progress.FAILED) {
          return one;
        }
        all = one == Progress.WAITING ? one : all;
      }
      return all;
    }

    private Progress progress(IntentKey key, long version) {
      if (version < 0) {
        return Progress.FAILED;
      }
      Held<Intent> intent = tables.intents().held(key);
      if (intent == null) {
        return tables.indexReached(version) ? Progress.DONE : Progress.WAITING;
      }
      if (intent.version() > version) {
        return Progress.DONE;
      }
      RuleState state = tables.present(key);
      if (intent.version() < version || state == null) {
        return Progress.WAITING;
      }
      return state.error().isEmpty() ? Progress.DONE : Progress.FAILED;
    }
  }
}
