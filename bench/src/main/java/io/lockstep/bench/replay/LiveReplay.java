package io.lockstep.bench.replay;

import io.lockstep.bench.compare.Answer;
import io.lockstep.bench.compare.FlowPlan;
import io.lockstep.bench.compare.Operation;
import io.lockstep.bench.compare.PeerStore;
import io.lockstep.bench.compare.Step;
import io.lockstep.bench.compare.TableLayout;
import io.lockstep.bench.runs.BenchException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A workload as it runs: what a flow asks depends on the answers before. Where a replace is refused
 * the flow goes back as the paper says: the load balancer's to the read of the pool, the device
 * manager's to its beginning. After {@value #ATTEMPTS} attempts, as many as an application has, it
 * gives up.
 */
final class LiveReplay implements ReplayPlan {
  /** As the applications of {@code bench variant}. */
  static final int ATTEMPTS = 6;

  private final PeerStore store;
  private final FlowPlan plan;
  private final boolean fromTheStart;
  private final ReplayCounts counts;

  /**
   * A workload.
   *
   * @param fromTheStart whether a refused flow begins anew, and not with the operation before
   */
  LiveReplay(PeerStore store, FlowPlan plan, boolean fromTheStart, ReplayCounts counts) {
    this.store = store;
    this.plan = plan;
    this.fromTheStart = fromTheStart;
    this.counts = counts;
  }

  @Override
  public void prepare() throws BenchException, InterruptedException {
    Preparation.run(plan.tables(), this::declared);
    Preparation.run(
        plan.preparation(), operation -> store.submit(operation).thenApply(Answer::done));
  }

  private CompletableFuture<Boolean> declared(TableLayout table) {
    return store.declare(List.of(table)).thenApply(done -> true);
  }

  @Override
  public ReplayStep first(long number) {
    return new Flow(plan.first(number));
  }

  /** One flow. Its steps follow each other. */
  private final class Flow implements ReplayStep {
    private final Step first;
    private Step before;
    private Step now;
    private int refused;

    Flow(Step first) {
      this.first = first;
      this.before = first;
      this.now = first;
    }

    @Override
    public CompletableFuture<@Nullable ReplayStep> ask() {
      return store.submit(now.operation()).thenApply(this::next);
    }

    private @Nullable ReplayStep next(Answer answer) {
      Operation operation = now.operation();
      boolean isRefused = !answer.done() && mayBeRefused(operation);
      if (isRefused) {
        counts.conflict();
        refused++;
        if (refused == ATTEMPTS) {
          counts.gaveUp();
          return null;
        }
      }
      if (isRefused && operation.isReplace()) {
        now = fromTheStart ? first : before;
        return this;
      }
      Step next = now.next().apply(answer);
      if (next == null) {
        return null;
      }
      before = now;
      now = next;
      return this;
    }

    /** The plan itself goes back where a write with a version is refused. */
    private boolean mayBeRefused(Operation operation) {
      return operation.isReplace() || operation instanceof Operation.CallAt;
    }
  }
}
