package io.lockstep.core.flow.placed;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.placer.Change;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Refusal;
import io.lockstep.placer.RuleKey;
import io.lockstep.store.logging.BoundedLog;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one mastered switch with bounded tables as its rules request it. This agent owns all state
 * of the switch, and it alone talks to the switch and to the store. Its helpers decide: each gets
 * what it needs, and returns an outcome that the agent carries out. At most one piece of work is
 * under way: a plan, a batch of independent new rules, or a reading. Control loop only.
 */
public final class PlacedSwitch {
  private static final BoundedLog log = BoundedLog.of(PlacedSwitch.class);
  private static final long RETRY_MILLIS = 1_000;

  private final SwitchChannel channel;
  private final SwitchPlacement placement;
  private final RunDriver runs;
  private final ChangeQueue queue = new ChangeQueue();
  private final RuleTraffic traffic = new RuleTraffic();
  private final SwitchRejections rejections = new SwitchRejections();
  private final TrafficAdmission admission;
  private final ChangeSelection selection;
  private final ReadBackHistory readBacks;
  private final ReadBackReview review;
  private final ImprovementPace pace;
  private final PlacementReporter reporter;
  private final PlacementListener listener;
  private final RuleVerdicts verdicts;

  private final WorkGate gate = new WorkGate();

  /** An agent for a switch that this node masters from now on; {@link #start} begins its work. */
  public PlacedSwitch(
      SwitchConnection connection,
      long epoch,
      SwitchProfiles.Chosen chosen,
      PlacementTables tables,
      SwitchEnvironment environment,
      PlacementListener listener) {
    this.listener = listener;
    this.placement = SwitchPlacement.of(connection, epoch, chosen.profile(), tables);
    this.channel = new SwitchChannel(connection, environment, placement.pipeline().fixed());
    this.runs = new RunDriver(channel, placement);
    this.admission = new TrafficAdmission(placement, traffic, environment);
    this.selection = new ChangeSelection(queue, placement, traffic, admission);
    this.readBacks = new ReadBackHistory(channel.name(), chosen.profile().layers().size());
    this.pace = new ImprovementPace(placement, traffic::total);
    this.review = new ReadBackReview(placement, selection, rejections, readBacks, pace);
    this.reporter =
        new PlacementReporter(
            placement,
            queue,
            gate,
            rejections,
            traffic,
            admission,
            readBacks,
            chosen.reason(),
            listener::idOf);
    this.verdicts = new RuleVerdicts(placement, rejections, reporter);
  }

  /** Requests a rule, or changes the request for it. */
  public void request(LogicalRule rule) {
    rejections.forget(rule.key());
    selection.request(rule);
    work();
  }

  /**
   * Requests the rules of one decision. The switch gets rules that only send packets to the node
   * first, and each alone. The others it gets together or not at all, behind those of the first
   * kind that share packets with them. Rules that it had before stay where another one is rejected,
   * unless that is such a guard.
   */
  public void requestTogether(List<LogicalRule> rules) {
    rules.forEach(rule -> rejections.forget(rule.key()));
    selection.requestTogether(rules, channel.nowMillis()).forEach(listener::groupRejected);
    work();
  }

  /** Withdraws the request for a rule. */
  public void withdraw(RuleKey key) {
    rejections.forget(key);
    selection.withdraw(key);
    work();
  }

  /** Reads the switch and goes on from what it shows. */
  public void start() {
    channel.read(this::recover);
  }

  /** This node does not master the switch any more; the agent calls the listener no more. */
  public void stop() {
    channel.close();
    gate.close();
    admission.close();
  }

  /** What operators and programs can ask of the switch. */
  public PlacementReporter reporter() {
    return reporter;
  }

  // ---- the first reading, and every reading after an unknown outcome ----

  private void recover(Optional<List<FlowStats>> stats) {
    if (stats.isEmpty()) {
      channel.after(RETRY_MILLIS, this::start);
      return;
    }
    FlowTableSnapshot seen = FlowTableSnapshot.of(placement.pipeline(), stats.get());
    readBacks.foreign(seen);
    runs.perform(
        new PlacementRecovery(placement, seen).run(channel.nowMillis()),
        failed -> failed.ifPresentOrElse(this::unprepared, this::prepared),
        this::readAnew);
  }

  private void unprepared(FlowModSequence.Failure failure) {
    reporter.unprepared(failure).forEach(listener::reportRefused);
    readAnew("the switch did not confirm the entries that every rule needs: " + failure.summary());
  }

  private void prepared() {
    if (!gate.ready()) {
      review.start(channel.nowMillis());
      gate.setReady();
      listener.restored(List.copyOf(placement.ledger().rows()));
    }
    selection.queueAll();
    free();
  }

  /** The agent does not know what the switch did, so it reads the switch anew. */
  private void readAnew(String reason) {
    log.warn(channel.name(), "{}: the node reads the switch anew: {}", channel.name(), reason);
    gate.hold();
    channel.after(RETRY_MILLIS, this::start);
  }

  // ---- one piece of work at a time ----

  /** Ends a piece of work; the next one begins in another task of the control loop. */
  private void free() {
    gate.end();
    channel.soon(this::work);
  }

  private void work() {
    if (!gate.begin()) {
      return;
    }
    if (readBacks.needsPause()) {
      gate.end();
      readBack();
      return;
    }
    ChangeSelection.Selected selected = selection.select(channel.nowMillis());
    selected.absent().forEach(listener::removed);
    selected.refused().forEach(this::reject);
    reportPlaced(selected.asRequested());
    selected.work().match(new Begin());
  }

  /** Begins the work that was selected; each call leads to {@link #free} or {@link #rest}. */
  private final class Begin implements NextWork.Cases {
    @Override
    public void addBatch(BatchRun batch) {
      runs.perform(batch, PlacedSwitch.this::batchEnded, PlacedSwitch.this::readAnew);
    }

    @Override
    public void carryOut(Plan plan, RuleKey key) {
      PlacedSwitch.this.carryOut(
          plan, key, () -> reportPlaced(List.of(key)), PlacedSwitch.this::free);
    }

    @Override
    public void remove(Plan plan, RuleKey key) {
      PlacedSwitch.this.carryOut(plan, key, () -> removed(key), PlacedSwitch.this::gainedRoom);
    }

    /** The removal that this prepares is in the queue, and finds what is left to prepare. */
    @Override
    public void prepare(Plan plan) {
      runs.perform(
          new PlanRun(placement, null, plan), ended -> free(), PlacedSwitch.this::readAnew);
    }

    /** The queue adds the victims again after the removal that waits for this, where they fit. */
    @Override
    public void evict(Map<RuleKey, Refusal> victims) {
      Map<RuleKey, CompletableFuture<Boolean>> reports = new LinkedHashMap<>();
      victims.forEach(
          (victim, refusal) -> {
            String why = verdicts.evict(victim, refusal);
            boolean displaced = refusal.reason() == Refusal.Reason.DISPLACED;
            reports.put(
                victim,
                displaced ? listener.displaced(victim, why) : listener.refused(victim, why));
          });
      RuleVerdicts.whenReported(
          reports, reported -> channel.soon(() -> evictNext(reported.iterator())));
    }

    @Override
    public void retryRemovals(Map<RuleKey, Refusal> reasons) {
      reasons.forEach(PlacedSwitch.this::reject);
      if (selection.schedulesRetry()) {
        channel.after(RETRY_MILLIS, PlacedSwitch.this::retryRemovals);
      }
      free();
    }

    @Override
    public void repair(List<FlowMod> mods) {
      runs.perform(
          new FlowModSequence(List.of(mods)),
          failed ->
              failed.ifPresentOrElse(
                  one -> readAnew("the switch did not confirm the repair: " + one.summary()),
                  PlacedSwitch.this::free),
          PlacedSwitch.this::readAnew);
    }

    @Override
    public void maintain(Plan plan) {
      boolean resizes = plan.change() instanceof Change.Resize;
      Runnable next = resizes ? PlacedSwitch.this::gainedRoom : PlacedSwitch.this::free;
      PlacedSwitch.this.carryOut(plan, null, () -> {}, next);
    }

    @Override
    public void nothing() {
      Plan slice = queue.isEmpty() ? pace.next(channel.nowMillis()) : null;
      if (slice != null) {
        maintain(slice);
      } else if (!queue.isEmpty()) {
        free();
      } else if (pace.takeMoved()) {
        gainedRoom();
      } else {
        runs.store(PlacedSwitch.this::rest);
      }
    }
  }

  /** The store has everything, and nothing is under way. */
  private void rest() {
    gate.end();
    if (pace.takeCold()) {
      channel.after(ImprovementPace.EARLY_READING_MILLIS, this::readBack);
    }
    if (!queue.isEmpty()) {
      channel.soon(this::work);
    }
  }

  private void reportPlaced(List<RuleKey> keys) {
    pace.placed(keys.size());
    List<RuleKey> asRequested = verdicts.asRequested(keys);
    if (!asRequested.isEmpty()) {
      listener.placed(asRequested);
    }
  }

  private void reject(RuleKey key, Refusal refusal) {
    RuleVerdicts.Rejection rejection = verdicts.reject(key, refusal);
    String why = rejection.why();
    if (why != null && rejection.requested()) {
      listener.reportRefused(key, why);
    } else if (why != null) {
      listener.removalRefused(key, why);
    }
    rejection.ended().forEach(listener::groupRejected);
  }

  // ---- batches and plans ----

  private void batchEnded(BatchRun.Result result) {
    selection.batchEnded(result.rejected().isEmpty());
    reportPlaced(result.installed());
    result.rejected().forEach(queue::put);
    free();
  }

  /**
   * Carries out a plan, for a rule or for none. Where the switch took it, {@code done} says so and
   * {@code next} ends the piece of work or goes on with it.
   */
  private void carryOut(Plan plan, @Nullable RuleKey key, Runnable done, Runnable next) {
    LogicalRule subject = key == null ? null : placement.requested(key);
    runs.perform(
        new PlanRun(placement, subject, plan),
        refused -> {
          if (refused.isEmpty()) {
            done.run();
            next.run();
          } else {
            if (key != null) {
              reject(key, refused.get());
              selection.rejected(key, plan.change(), refused.get());
            } else {
              pace.rest();
            }
            tidy();
          }
        },
        this::readAnew);
  }

  /** Removes the entries that were prepared for a change which is not made. */
  private void tidy() {
    placement.ledger().end();
    Plan plan = selection.tidying();
    if (plan == null) {
      free();
    } else {
      carryOut(plan, null, () -> {}, this::free);
    }
  }

  // ---- removals ----

  private void evictNext(Iterator<RuleKey> victims) {
    // Where the request for a victim changed, the agent looks at that first.
    while (victims.hasNext()) {
      RuleKey victim = victims.next();
      Plan plan = selection.eviction(victim);
      if (plan != null) {
        carryOut(plan, victim, () -> removed(victim), () -> evictNext(victims));
        return;
      }
    }
    gainedRoom();
  }

  private void gainedRoom() {
    rejections.worthRetrying().forEach(queue::put);
    free();
  }

  private void retryRemovals() {
    selection.retryRemovals();
    work();
  }

  private void removed(RuleKey key) {
    if (selection.removed(key)) {
      rejections.forget(key);
      listener.removed(key);
    }
  }

  // ---- read-backs ----

  /** Reads the flow tables, unless the agent reads them already. */
  public void readBack() {
    if (!gate.ready() || !readBacks.begin(placement.revision())) {
      return;
    }
    channel.read(
        stats -> {
          readBacks.ended();
          stats.ifPresentOrElse(this::compare, this::work);
        });
  }

  private void compare(List<FlowStats> stats) {
    FlowTableSnapshot seen = FlowTableSnapshot.of(placement.pipeline(), stats);
    traffic.observe(seen, placement, channel.nowMillis());
    admission.weighed();
    pace.weighed();
    listener.counted();
    if (readBacks.isOvertaken(placement.revision()) || !gate.begin()) {
      readBacks.overtaken();
      work();
      return;
    }
    ReadBackReview.Reviewed reviewed = review.review(seen, channel.nowMillis());
    reviewed.missing().forEach(key -> listener.reportRefused(key, reporter.missing(key)));
    reviewed.work().match(new Begin());
  }
}
