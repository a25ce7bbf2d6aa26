package io.lockstep.core.mastership;

import io.lockstep.core.cluster.Lease;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One connection and whether this node may act on it as master. The control loop decides; the
 * connection's event loop tells the listeners, in turns of gained and lost; anybody asks.
 */
final class SwitchHold {
  private static final BoundedLog log = BoundedLog.of(SwitchHold.class);

  private final SwitchConnection connection;
  private final Lease lease;
  private final List<MasteredSwitches.Listener> listeners;

  /** What the control loop wants. */
  private volatile @Nullable Grant wanted;

  private volatile String lostReason = "";

  /** What the listeners know; changed on the event loop only. */
  private volatile @Nullable Grant told;

  /** The epoch of the plan by which the switch comes to this node, or -1; control loop. */
  private volatile long expected = -1;

  /** The same as the listeners know it; changed on the event loop only. */
  private long toldExpected = -1;

  private volatile boolean closed;

  /** Why the switch took the role away, where the control loop does not know of it yet. */
  private final AtomicReference<@Nullable String> lostRole = new AtomicReference<>();

  /** A right to act. Compared by identity: a right that was lost and given again is another. */
  static final class Grant {
    private final long epoch;
    private final long sessionId;

    Grant(long epoch, long sessionId) {
      this.epoch = epoch;
      this.sessionId = sessionId;
    }
  }

  SwitchHold(SwitchConnection connection, Lease lease, List<MasteredSwitches.Listener> listeners) {
    this.connection = connection;
    this.lease = lease;
    this.listeners = listeners;
  }

  SwitchConnection connection() {
    return connection;
  }

  long dpid() {
    return connection.dpid();
  }

  boolean closed() {
    return closed;
  }

  /** Whether the control loop granted and did not withdraw. */
  boolean granted() {
    return wanted != null;
  }

  /** The node may act from now on; control loop. */
  void grant(long epoch, long sessionId) {
    wanted = new Grant(epoch, sessionId);
    connection.execute(this::sync);
  }

  /** The node must not act any longer, at once; the listeners hear it soon. Control loop. */
  void withdraw(String reason) {
    if (wanted == null) {
      return;
    }
    lostReason = reason;
    wanted = null;
    connection.execute(this::sync);
  }

  /**
   * By a plan of its master the switch is to come to this node, or no longer; control loop.
   *
   * @param epoch of the plan; -1 where there is none
   */
  void expect(long epoch) {
    if (expected != epoch) {
      expected = epoch;
      connection.execute(this::syncExpected);
    }
  }

  /** The listeners finish what they began; completes on the event loop. Control loop. */
  CompletableFuture<?> finish(long epoch) {
    CompletableFuture<Void> finished = new CompletableFuture<>();
    connection.execute(
        () -> {
          List<CompletableFuture<?>> all = new ArrayList<>();
          for (MasteredSwitches.Listener listener : listeners) {
            tell(listener, () -> all.add(listener.finish(connection, epoch)));
          }
          CompletableFuture<?> unused =
              CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                  .whenComplete((done, failure) -> finished.complete(null));
        });
    return finished;
  }

  /** The connection is closed; event loop. */
  void close(String reason) {
    closed = true;
    lostReason = reason;
    sync();
    syncExpected();
  }

  /** The switch took the role away; event loop. Only the newest reason is kept. */
  void loseRole(String reason) {
    lostRole.set(reason);
  }

  /** Why the switch took the role away since the last call, or null; control loop. */
  @Nullable String takeLostRole() {
    return lostRole.getAndSet(null);
  }

  /** The epoch under which the node may act now, or -1. Any thread. */
  long epoch() {
    Grant grant = told;
    return grant != null && grant == wanted && !closed && lease.holds(grant.sessionId)
        ? grant.epoch
        : -1;
  }

  private void sync() {
    Grant now = closed ? null : wanted;
    Grant before = told;
    if (now == before) {
      return;
    }
    if (before != null) {
      told = null;
      for (MasteredSwitches.Listener listener : listeners) {
        tell(listener, () -> listener.lost(connection, lostReason));
      }
    }
    if (now != null) {
      told = now;
      for (MasteredSwitches.Listener listener : listeners) {
        tell(listener, () -> listener.gained(connection, now.epoch));
      }
    }
  }

  private void syncExpected() {
    long now = closed ? -1 : expected;
    if (now == toldExpected) {
      return;
    }
    boolean before = toldExpected != -1;
    toldExpected = now;
    for (MasteredSwitches.Listener listener : listeners) {
      if (before) {
        tell(listener, () -> listener.expectedNoLonger(connection));
      }
      if (now != -1) {
        tell(listener, () -> listener.expected(connection, now));
      }
    }
  }

  /** A listener that fails costs this connection, never the node. */
  private void tell(MasteredSwitches.Listener listener, Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      log.error(
          connection.deviceId(),
          "{}: listener {} failed at a change of mastership",
          connection.deviceId(),
          listener.getClass().getName(),
          e);
      connection.close("a listener failed at a change of mastership: " + e);
    }
  }
}
