package io.lockstep.core.mastership;

import static io.lockstep.core.state.Continuations.after;
import static io.lockstep.core.state.Continuations.logFailure;

import io.lockstep.core.southbound.SwitchConnection.RoleOutcome;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.store.logging.BoundedLog;
import org.jspecify.annotations.Nullable;

/**
 * Brings the role of one connection to what the store says, one request at a time (OpenFlow 1.3.5
 * section 6.3.6): MASTER with the epoch as generation id where this node is the master, EQUAL where
 * it is to be the next one and listens, SLAVE where another is, as it is where no master is known.
 * Nothing else is changed on the switch. A switch without roles is asked all the same: its
 * connection keeps the role at this end. Owned by the control loop.
 */
final class RoleKeeper {
  private static final BoundedLog log = BoundedLog.of(RoleKeeper.class);
  private static final long FIRST_RETRY_MILLIS = 200;
  private static final long LAST_RETRY_MILLIS = 30_000;
  private static final long RAISE_DEADLINE_MILLIS = 1_000;

  /** What is asked of a switch. */
  record Ask(SwitchRole role, long epoch, long sessionId) {}

  /** What the keeper asks of its room. */
  interface Room {
    /** The role that the connection should have now, or null to leave it as it is. */
    @Nullable Ask wanted(long dpid);

    /**
     * The switch knows a newer generation: raises the epoch to at least {@code minimum}; false
     * where the switch has raised it too often and has to wait.
     */
    boolean raise(long dpid, long minimum);
  }

  private final SwitchHold hold;
  private final ControlLoop loop;
  private final Room room;
  private @Nullable Ask granted;

  /** What the switch answered STALE to; it is not asked again before the epoch was raised. */
  private @Nullable Ask refused;

  private boolean inFlight;
  private boolean waiting;
  private int failures;
  private int raises;
  private String trouble = "";

  RoleKeeper(SwitchHold hold, ControlLoop loop, Room room) {
    this.hold = hold;
    this.loop = loop;
    this.room = room;
  }

  SwitchHold hold() {
    return hold;
  }

  /** The role that the switch granted last; null where none is known. */
  @Nullable SwitchRole role() {
    Ask known = granted;
    return known == null ? null : known.role();
  }

  /** What stands between the wanted role and the switch; empty where nothing does. */
  String trouble() {
    return trouble;
  }

  /**
   * Looks again at what is wanted.
   *
   * @param reason told to those who lose the mastership by it
   */
  void review(String reason) {
    if (hold.closed()) {
      return;
    }
    Ask ask = room.wanted(hold.dpid());
    if (ask == null) {
      hold.withdraw(reason);
      if (granted != null) {
        granted = null;
        // A switch with roles refuses us once another is master; one without does not.
        logFailure("standing down", hold.connection().standDown());
      }
      return;
    }
    if (ask.equals(granted)) {
      if (ask.role() == SwitchRole.MASTER && !hold.granted()) {
        hold.grant(ask.epoch(), ask.sessionId());
      }
      return;
    }
    hold.withdraw(reason);
    if (inFlight || waiting || ask.equals(refused)) {
      return;
    }
    inFlight = true;
    after(
        hold.connection()
            .requestRole(ask.role(), ask.epoch())
            .exceptionally(thrown -> new RoleOutcome.Failed("request failed: " + thrown)),
        loop,
        outcome -> answered(ask, outcome));
  }

  /** The switch took the role away or refuses what only a master may do. */
  void lost(String reason) {
    log.warn(hold.dpid(), "{}: role lost: {}", hold.connection().deviceId(), reason);
    granted = null;
    hold.withdraw("role lost: " + reason);
    failures++;
    retryLater();
  }

  private void answered(Ask ask, RoleOutcome outcome) {
    inFlight = false;
    if (hold.closed()) {
      return;
    }
    if (outcome instanceof RoleOutcome.Granted now && now.role() == ask.role()) {
      granted = ask;
      failures = 0;
      raises = 0;
      trouble = "";
      review("the role changed");
    } else if (outcome instanceof RoleOutcome.Stale stale) {
      granted = null;
      stale(ask, stale.switchGenerationId());
    } else {
      granted = null;
      trouble = ask.role() + " in epoch " + ask.epoch() + " not granted: " + outcome;
      log.warn(hold.dpid(), "{}: {}", hold.connection().deviceId(), trouble);
      failures++;
      retryLater();
    }
  }

  private void stale(Ask ask, long switchGenerationId) {
    trouble =
        "the switch answers STALE to epoch "
            + ask.epoch()
            + "; its generation id is "
            + (switchGenerationId == -1 ? "unknown" : Long.toUnsignedString(switchGenerationId));
    log.info(hold.dpid(), "{}: {}", hold.connection().deviceId(), trouble);
    boolean outOfBounds =
        switchGenerationId < -1 || switchGenerationId >= DomainRecord.MAX_EPOCH - 1;
    failures++;
    if (ask.role() == SwitchRole.MASTER && !outOfBounds) {
      // A switch that does not say its generation is asked again in ever bigger steps.
      long minimum =
          switchGenerationId == -1
              ? ask.epoch() + (1L << Math.min(40, 4 + 8 * raises))
              : switchGenerationId + 1;
      if (room.raise(hold.dpid(), minimum)) {
        raises++;
        refused = ask;
        loop.schedule(RAISE_DEADLINE_MILLIS, () -> askAgain(ask));
        return;
      }
    }
    if (ask.role() == SwitchRole.MASTER) {
      raises = 0;
      failures = Integer.SIZE;
    }
    retryLater();
  }

  private void askAgain(Ask stale) {
    if (stale.equals(refused)) {
      refused = null;
      review("the role is asked for again");
    }
  }

  private void retryLater() {
    if (waiting) {
      return;
    }
    waiting = true;
    long delayMillis =
        Math.min(LAST_RETRY_MILLIS, FIRST_RETRY_MILLIS << Math.min(10, Math.max(0, failures - 1)));
    loop.schedule(
        delayMillis,
        () -> {
          waiting = false;
          review("the role is asked for again");
        });
  }
}
