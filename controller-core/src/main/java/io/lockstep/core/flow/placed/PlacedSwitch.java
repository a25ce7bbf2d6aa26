package io.lockstep.core.flow.placed;

import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Refusal;
import io.lockstep.placer.RuleKey;
import io.lockstep.store.logging.BoundedLog;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one mastered switch with bounded tables as its rules request it. This agent owns all state
 * of the switch, and it alone talks to the switch, to the store and to the listener. Its helpers
 * decide: each gets what it needs, and returns an outcome that the agent carries out. At most one
 * piece of work is under way: a plan, a batch of independent new rules, or a reading. Control loop
 * only.
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
  private final ChangeSelection selection;
  private final ReadBackHistory readBacks;
  private final ReadBackReview review;
  private final PlacementReporter reporter;
  private final PlacementListener listener;

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
    this.channel = new SwitchChannel(connection, environment);
    this.placement = SwitchPlacement.of(connection, epoch, chosen.profile(), tables);
    this.runs = new RunDriver(channel, placement);
    this.selection = new ChangeSelection(queue, placement, traffic);
    this.readBacks = new ReadBackHistory(channel.name(), chosen.profile().layers().size());
    this.review = new ReadBackReview(placement, selection, rejections, readBacks);
    this.reporter =
        new PlacementReporter(
            placement,
            queue,
            gate,
            rejections,
            traffic,
            readBacks,
            chosen.reason(),
            listener::idOf);
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
    List<LogicalRule> entries = rules.stream().filter(rule -> !rule.onlyPunts()).toList();
    rules.stream().filter(LogicalRule::onlyPunts).forEach(selection::requestFirst);
    entries.forEach(selection::request);
    if (!entries.isEmpty() && !placement.group(rules)) {
      entries.stream().map(LogicalRule::key).filter(this::isNew).forEach(listener::groupRejected);
    }
    work();
  }

  private boolean isNew(RuleKey key) {
    return placement.ledger().row(key) == null && !placement.groups().hasEntry(key);
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
      PlacedSwitch.this.carryOut(plan, key, () -> reportPlaced(List.of(key)));
    }

    @Override
    public void remove(Plan plan, RuleKey key) {
      PlacedSwitch.this.carryOut(plan, key, () -> removed(key));
    }

    /**
     * Reports the victim as rejected, and removes it when every node can know that: so no node
     * takes the rule for installed when packets cannot match it any more. The queue adds the victim
     * again after the removal that waits for this, where it fits.
     */
    @Override
    public void evict(RuleKey victim, Refusal reason) {
      String why = reason.message();
      rejections.add(victim, reason, why);
      logFailure(
          "reporting an evicted rule",
          listener.refused(victim, why).thenAccept(reported -> evictReported(victim, reported)));
    }

    @Override
    public void retryRemovals() {
      channel.after(RETRY_MILLIS, PlacedSwitch.this::retryRemovals);
      free();
    }

    @Override
    public void repair(List<FlowMod> mods) {
      runs.perform(
          new FlowModSequence(List.of(mods)),
          failed -> failed.ifPresentOrElse(PlacedSwitch.this::unrepaired, PlacedSwitch.this::free),
          PlacedSwitch.this::readAnew);
    }

    @Override
    public void maintain(Plan plan) {
      PlacedSwitch.this.carryOut(plan, null, PlacedSwitch.this::retryRejected);
    }

    @Override
    public void nothing() {
      if (queue.isEmpty()) {
        runs.store(PlacedSwitch.this::rest);
      } else {
        free();
      }
    }
  }

  /** The store has everything, and nothing is under way. */
  private void rest() {
    gate.end();
    if (!queue.isEmpty()) {
      channel.soon(this::work);
    }
  }

  /** Reports the rules that are installed as they are requested now, and no others. */
  private void reportPlaced(List<RuleKey> keys) {
    List<RuleKey> asRequested = keys.stream().filter(placement::isAsRequested).toList();
    asRequested.forEach(rejections::forget);
    asRequested.forEach(placement.groups()::placed);
    if (!asRequested.isEmpty()) {
      listener.placed(asRequested);
    }
  }

  /** Rejects a rule or its removal, and with a rule those that must not be without it. */
  private void reject(RuleKey key, Refusal refusal) {
    boolean requested = placement.requested(key) != null;
    if (!requested && placement.ledger().row(key) == null) {
      return; // The request ended with that of another rule of its group.
    }
    Set<RuleKey> ended = requested ? placement.groups().endGroupsOf(key) : Set.of();
    String why = reporter.rejection(key, refusal);
    if (rejections.add(key, refusal, why)) {
      listener.reportRefused(key, why);
    }
    ended.forEach(listener::groupRejected);
  }

  private void retryRejected() {
    rejections.worthRetrying().forEach(queue::put);
  }

  // ---- batches and plans ----

  private void batchEnded(BatchRun.Result result) {
    selection.batchEnded(result.rejected().isEmpty());
    reportPlaced(result.installed());
    result.rejected().forEach(queue::put);
    free();
  }

  /**
   * Carries out a plan; the piece of work ends with it.
   *
   * @param key the rule that the plan is for; null where it is for none
   */
  private void carryOut(Plan plan, @Nullable RuleKey key, Runnable done) {
    LogicalRule subject = key == null ? null : placement.requested(key);
    runs.perform(
        new PlanRun(placement, subject, plan),
        refused -> {
          if (refused.isEmpty()) {
            done.run();
            free();
          } else {
            if (key != null) {
              reject(key, refused.get());
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
      carryOut(plan, null, () -> {});
    }
  }

  // ---- removals ----

  private void evictReported(RuleKey victim, boolean reported) {
    if (channel.closed()) {
      return;
    }
    // Where the request for the victim changed, the agent looks at that first.
    Plan plan = reported ? selection.eviction(victim) : null;
    if (plan == null) {
      free();
    } else {
      carryOut(plan, victim, () -> removed(victim));
    }
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
    retryRejected();
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

  private void unrepaired(FlowModSequence.Failure failure) {
    readAnew("the switch did not confirm the repair: " + failure.summary());
  }
}
