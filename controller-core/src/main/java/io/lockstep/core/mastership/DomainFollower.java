package io.lockstep.core.mastership;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.cluster.Difference;
import io.lockstep.core.cluster.Domains;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.cluster.StoredDomains;
import io.lockstep.core.mastership.FollowDomains.Ready;
import io.lockstep.core.mastership.ProposeDomains.Proposal;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.NodeState;
import io.lockstep.store.logging.BoundedLog;
import io.lockstep.store.typed.Component;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.WriteOutcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Follows the domains in the store: writes the first version from this node's file where the store
 * has none, stands down from switches that move, and says so, so that a version comes into force
 * only when no living node acts on the old one. Owned by the control loop.
 */
final class DomainFollower {
  private static final BoundedLog log = BoundedLog.of(DomainFollower.class);

  /** How long a lost request, or a node that dies while a version waits for it, costs at most. */
  private static final int TICKS_BETWEEN_TRIES = 5;

  private final NodeConfig config;
  private final Domains domains;
  private final Store store;
  private final NodeState state;
  private final ControlLoop loop;
  private final Membership membership;
  private final Switches switches;
  private boolean inFlight;
  private int ticks;

  /** The version whose differences to the file were logged. */
  private long comparedVersion;

  /** Why the domains cannot be read, as it was logged. */
  private String reported = "";

  /** What is done with switches. */
  interface Switches {
    /** The domains changed: claims and roles are to be reviewed. */
    void review(String reason);

    /**
     * Stops to act on the switches that move; completes when all that was sent is carried out, or
     * known not to be.
     */
    CompletableFuture<?> standDown();
  }

  DomainFollower(
      NodeConfig config,
      Domains domains,
      Store store,
      NodeState state,
      Membership membership,
      Switches switches) {
    this.config = config;
    this.domains = domains;
    this.store = store;
    this.state = state;
    this.loop = state.loop();
    this.membership = membership;
    this.switches = switches;
  }

  /** The versions changed. */
  void changed() {
    StoredDomains next = domains.next();
    long version = domains.current().version();
    switches.review(
        next == null
            ? "version " + version + " of the domains is in force"
            : "version " + next.version() + " of the domains is on its way");
    compare();
    follow();
  }

  /** The node takes part from now on, or some time passed. */
  void tick() {
    if (++ticks >= TICKS_BETWEEN_TRIES) {
      follow();
    }
  }

  /** Does what the store waits for, if it waits for this node. */
  void follow() {
    ticks = 0;
    if (membership.activeSession() == 0 || inFlight || !domains.unreadable().isEmpty()) {
      return;
    }
    StoredDomains next = domains.next();
    if (domains.current().version() == 0) {
      if (!config.domains().isEmpty()) {
        begin();
      }
    } else if (next != null) {
      inFlight = true;
      after(switches.standDown(), loop, done -> stoodDown(next.version()));
    }
  }

  private void begin() {
    log.info(
        config.nodeId(),
        "{}: writes the domains of its file into the store, which has none",
        config.nodeId());
    call(ProposeDomains.COMPONENT, new Proposal(0, domains.configured()), 1);
  }

  private void stoodDown(long version) {
    call(FollowDomains.COMPONENT, new Ready(config.nodeId(), version), version);
  }

  private <A, R> void call(Component<A, R> component, A argument, long version) {
    inFlight = true;
    after(store.call(component, argument), loop, outcome -> answered(version, outcome));
  }

  private void answered(long version, WriteOutcome<?> outcome) {
    inFlight = false;
    // The next tick tries again, unless it took effect and shows by then.
    Consumer<String> failed =
        why ->
            log.warn(
                config.nodeId(),
                "{}: following version {} of the domains failed: {}",
                config.nodeId(),
                version,
                why);
    outcome.handle(result -> result.ifDone(done -> followed(version), failed), failed);
  }

  private void followed(long version) {
    state.poke();
    if (domains.newest().version() > version) {
      follow();
    }
  }

  /** Logs once for each version where the file differs from it, or why it cannot be read. */
  private void compare() {
    String unreadable = domains.unreadable();
    if (!unreadable.equals(reported)) {
      reported = unreadable;
      if (!unreadable.isEmpty()) {
        log.error(config.nodeId(), "{}: {}", config.nodeId(), unreadable);
      }
    }
    StoredDomains current = domains.current();
    long version = current.version();
    if (!current.readable() || version == comparedVersion) {
      return;
    }
    comparedVersion = version;
    log.info(
        config.nodeId(), "{}: version {} of the domains is in force", config.nodeId(), version);
    List<Difference> differences = domains.differences();
    if (!differences.isEmpty()) {
      Difference first = differences.get(0);
      log.warn(
          config.nodeId(),
          "{}: {} differs from version {} of the domains in the store, which counts: {}: file {},"
              + " store {}{}",
          config.nodeId(),
          first.file().isEmpty() ? "the configuration" : first.file(),
          version,
          first.place(),
          first.here(),
          first.cluster(),
          differences.size() == 1 ? "" : "; " + (differences.size() - 1) + " more in status");
    }
  }
}
