package io.lockstep.core.mastership;

import io.lockstep.core.cluster.Difference;
import io.lockstep.core.cluster.Domains;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.cluster.StoredDomains;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.ReplyWords;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.logging.BoundedLog;
import java.util.List;
import java.util.concurrent.CompletableFuture;

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
  private final StoreClient store;
  private final NodeState state;
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
      StoreClient store,
      NodeState state,
      Membership membership,
      Switches switches) {
    this.config = config;
    this.domains = domains;
    this.store = store;
    this.state = state;
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
      switches
          .standDown()
          .whenComplete((done, failure) -> state.loop().execute(() -> stoodDown(next.version())));
    }
  }

  private void begin() {
    log.info(
        config.nodeId(),
        "{}: writes the domains of its file into the store, which has none",
        config.nodeId());
    submit(ProposeDomains.command(0, domains.configured()), 1);
  }

  private void stoodDown(long version) {
    submit(FollowDomains.command(config.nodeId(), version), version);
  }

  private void submit(Command command, long version) {
    inFlight = true;
    store.submit(command).thenAccept(reply -> state.loop().execute(() -> answered(version, reply)));
  }

  private void answered(long version, Reply reply) {
    inFlight = false;
    if (!(reply instanceof Reply.Returned)) {
      // The next tick tries again.
      log.warn(
          config.nodeId(),
          "{}: following version {} of the domains failed: {}",
          config.nodeId(),
          version,
          ReplyWords.of(reply));
      return;
    }
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
