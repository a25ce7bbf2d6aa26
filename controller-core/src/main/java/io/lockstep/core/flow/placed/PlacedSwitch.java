package io.lockstep.core.flow.placed;

import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.placer.Change;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Refusal;
import io.lockstep.placer.RuleKey;
import io.lockstep.store.logging.BoundedLog;
import java.util.List;
import java.util.Optional;
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
  private final RemovalPlanner removals;
  private final MaintenancePlanner maintenance;
  private final ReadBackHistory readBacks;
  private final PlacementReporter reporter;
  private final PlacementListener listener;

  private final WorkGate gate = new WorkGate();

  /** Whether a read-back is on its way. */
  private boolean reading;

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
    this.removals = new RemovalPlanner(placement);
    this.maintenance = new MaintenancePlanner(placement);
    this.readBacks = new ReadBackHistory(channel.name(), chosen.profile().layers().size());
    this.reporter =
        new PlacementReporter(
            placement, queue, rejections, traffic, readBacks, chosen.reason(), listener::idOf);
  }

  /** Requests a rule, or changes the request for it. */
  public void request(LogicalRule rule) {
    placement.request(rule);
    rejections.forget(rule.key());
    queue.put(rule.key());
    work();
  }

  /** Withdraws the request for a rule. */
  public void withdraw(RuleKey key) {
    placement.withdraw(key);
    rejections.forget(key);
    queue.remove(key);
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

  /** What each layer holds; null before the agent read the switch. */
  public @Nullable PlacementReport report() {
    return gate.ready() ? reporter.report(gate.working()) : null;
  }

  /** Why a rule is where it is; null before the agent read the switch, or without such a rule. */
  public @Nullable RuleReport explain(RuleKey key) {
    return gate.ready() ? reporter.explain(key) : null;
  }

  /** What each layer holds and how much of it is used, in a sentence for operators. */
  public String room() {
    return reporter.room();
  }

  /** What the agent had to repair a moment ago, for operators; empty for nothing. */
  public String trouble() {
    return readBacks.trouble(channel.nowMillis());
  }

  /** The last counters of a rule in the layer that serves it; null where it has none. */
  public @Nullable FlowStats counters(RuleKey key) {
    return traffic.counters(key);
  }

  // ---- the first reading, and every reading after an unknown outcome ----

  private void recover(Optional<List<FlowStats>> stats) {
    if (stats.isEmpty()) {
      channel.after(RETRY_MILLIS, this::start);
      return;
    }
    FlowTableSnapshot seen = FlowTableSnapshot.of(placement.pipeline(), stats.get());
    PlacementRecovery.Result result =
        new PlacementRecovery(placement, seen).run(channel.nowMillis());
    placement.recovered(result.placer());
    readBacks.foreign(seen);
    runs.perform(
        new FlowModSequence(result.preparation()),
        failed -> failed.ifPresentOrElse(this::unprepared, this::prepared),
        this::readAnew);
  }

  private void unprepared(FlowModSequence.Failure failure) {
    log.warn(
        channel.name(),
        "{}: the switch did not confirm the entries that every rule needs: {}",
        channel.name(),
        failure.outcomes());
    reporter.unprepared(failure).forEach(listener::refused);
    channel.after(RETRY_MILLIS, this::start);
  }

  private void prepared() {
    if (!gate.ready()) {
      maintenance.start(channel.nowMillis());
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
    if (readBacks.needsPause() && !reading) {
      gate.end();
      readBack();
      return;
    }
    ChangeSelection.Selected selected = selection.select(channel.nowMillis());
    selected.absent().forEach(listener::removed);
    selected.refused().forEach(this::reject);
    reportPlaced(selected.asRequested());
    selected
        .work()
        .match(
            add -> runs.perform(add.batch(), this::batchEnded, this::readAnew),
            plan -> carryOut(plan.plan(), plan.key(), () -> reportPlaced(List.of(plan.key()))),
            remove -> remove(remove.key()),
            nothing -> goOnOrRest());
  }

  private void goOnOrRest() {
    if (queue.isEmpty()) {
      runs.store(this::rest);
    } else {
      free();
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
    if (!asRequested.isEmpty()) {
      listener.placed(asRequested);
    }
  }

  private void reject(RuleKey key, Refusal refusal) {
    String why = reporter.rejection(key, refusal);
    if (rejections.add(key, refusal, why)) {
      listener.refused(key, why);
    }
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
    if (placement.placer().plan(new Change.Tidy()) instanceof Plan plan
        && !plan.steps().isEmpty()) {
      carryOut(plan, null, () -> {});
    } else {
      free();
    }
  }

  // ---- removals ----

  private void remove(RuleKey key) {
    removals
        .plan(key)
        .match(
            plan -> carryOut(plan.plan(), key, () -> removed(key)),
            evict -> evict(evict.victim(), evict.reason(), key),
            later -> removeLater(key));
  }

  /**
   * Removes another rule first. Reports it as rejected, and begins when every node can know that:
   * so no node takes the rule for installed when packets cannot match it any more. The queue adds
   * the victim again after the removal, where it fits.
   */
  private void evict(RuleKey victim, Refusal reason, RuleKey removed) {
    queue.replace(removed);
    String why = reason.message();
    rejections.add(victim, reason, why);
    listener.refused(victim, why).thenAccept(reported -> evictReported(victim, reported));
  }

  private void evictReported(RuleKey victim, boolean reported) {
    if (channel.closed()) {
      return;
    }
    // Where the request for the victim changed, the agent looks at that first.
    Plan plan = reported ? removals.planOf(victim) : null;
    if (plan == null) {
      free();
    } else {
      carryOut(plan, victim, () -> removed(victim));
    }
  }

  private void removeLater(RuleKey key) {
    queue.removeLater(key);
    channel.after(RETRY_MILLIS, this::retryRemovals);
    free();
  }

  private void retryRemovals() {
    // The way may have been barred by what the switch rejected before.
    placement.placer().forgetRefusals();
    queue.bringBack();
    work();
  }

  private void removed(RuleKey key) {
    if (placement.requested(key) != null) {
      queue.put(key);
    } else {
      traffic.forget(key);
      rejections.forget(key);
      removals.removed(key);
      listener.removed(key);
    }
    retryRejected();
  }

  // ---- read-backs ----

  /** Reads the flow tables, unless the agent reads them already. */
  public void readBack() {
    if (reading || !gate.ready()) {
      return;
    }
    reading = true;
    long revision = placement.revision();
    channel.read(
        stats -> {
          reading = false;
          stats.ifPresentOrElse(read -> compare(read, revision), this::work);
        });
  }

  private void compare(List<FlowStats> stats, long revision) {
    FlowTableSnapshot seen = FlowTableSnapshot.of(placement.pipeline(), stats);
    traffic.observe(seen, placement, channel.nowMillis());
    listener.counted();
    if (revision != placement.revision() || !gate.begin()) {
      readBacks.overtaken();
      work();
      return;
    }
    readBacks.read(seen);
    ReadBackRepair repair =
        new ReadBackRepair(placement.pipeline(), placement.placer().image(), seen);
    // The look at each of them finds it in the ledger, and reports it as installed.
    readBacks.present(repair.missingRules).forEach(queue::put);
    if (repair.needed()) {
      repair(repair);
    } else {
      maintain(seen.capacities());
    }
  }

  private void repair(ReadBackRepair repair) {
    List<RuleKey> missing = readBacks.repaired(repair, channel.nowMillis());
    missing.forEach(key -> listener.refused(key, reporter.missing(key)));
    runs.perform(
        new FlowModSequence(List.of(repair.mods)),
        failed ->
            failed.ifPresentOrElse(
                failure -> readAnew("the switch did not confirm the repair: " + failure.summary()),
                this::free),
        this::readAnew);
  }

  private void maintain(List<Long> capacities) {
    Plan plan = maintenance.next(capacities, channel.nowMillis());
    if (plan != null) {
      carryOut(plan, null, this::retryRejected);
      return;
    }
    if (maintenance.retries(!rejections.isEmpty(), channel.nowMillis())) {
      selection.retry(rejections.keys());
    }
    free();
  }
}
