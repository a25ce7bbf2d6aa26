package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.SwitchConnection.RoleOutcome;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.projectfloodlight.openflow.protocol.OFMessage;

/**
 * The role of a connection whose switch knows no roles (OpenFlow 1.0), kept at this end: until it
 * is granted MASTER the connection sends nothing that changes the switch, and as SLAVE it does not
 * hear its packets. A role is granted after the switch answered a barrier. MASTER waits a while
 * before: what a master that died had sent may still be on its way, and nothing tells this
 * connection when it is through. Changed on the event loop, read anywhere.
 */
final class LocalRole {
  /** How long a new master leaves the switch alone, in milliseconds. */
  static final int SETTLE_MILLIS = 100;

  /** Runs a task on the event loop later. */
  interface Alarm {
    void after(int millis, Runnable task);
  }

  private final Alarm alarm;
  private final Consumer<Request> barrier;
  private volatile SwitchRole role = SwitchRole.SLAVE;

  /** Tells whether something else was asked for since. */
  private int turn;

  /**
   * A silent connection.
   *
   * @param barrier sends a barrier and hands its answer to the request
   */
  LocalRole(Alarm alarm, Consumer<Request> barrier) {
    this.alarm = alarm;
    this.barrier = barrier;
  }

  /** Whether the connection may act. */
  boolean isMaster() {
    return role == SwitchRole.MASTER;
  }

  /** Whether the connection hears packets. */
  boolean hears() {
    return role != SwitchRole.SLAVE;
  }

  /** Asks for a role; a connection that is to be no master does not act from now on. */
  void request(SwitchRole wanted, long generationId, CompletableFuture<RoleOutcome> result) {
    turn++;
    int mine = turn;
    if (wanted == SwitchRole.MASTER) {
      alarm.after(SETTLE_MILLIS, () -> settle(mine, wanted, generationId, result));
    } else {
      role = wanted;
      settle(mine, wanted, generationId, result);
    }
  }

  private void settle(
      int mine, SwitchRole wanted, long generationId, CompletableFuture<RoleOutcome> result) {
    barrier.accept(
        new Confirmation(
            failure -> {
              if (!failure.isEmpty()) {
                result.complete(new RoleOutcome.Failed(failure));
              } else if (mine != turn) {
                result.complete(new RoleOutcome.Failed("another role was asked for meanwhile"));
              } else {
                role = wanted;
                result.complete(new RoleOutcome.Granted(wanted, generationId));
              }
            }));
  }

  /** Does not act from now on; completes with whether the switch answered a barrier. */
  void standDown(CompletableFuture<Boolean> result) {
    turn++;
    if (role == SwitchRole.MASTER) {
      role = SwitchRole.EQUAL;
    }
    confirm(barrier, result);
  }

  /** Sends a barrier; completes with whether the switch answered it. */
  static void confirm(Consumer<Request> barrier, CompletableFuture<Boolean> result) {
    barrier.accept(new Confirmation(failure -> result.complete(failure.isEmpty())));
  }

  /** Waits for a barrier reply. */
  private record Confirmation(Consumer<String> done) implements Request {
    @Override
    public boolean onReply(OFMessage reply) {
      done.accept("");
      return true;
    }

    @Override
    public void onError(String error) {
      done.accept("the switch refused the barrier: " + error);
    }

    @Override
    public void onLost(String reason) {
      done.accept(reason);
    }
  }
}
