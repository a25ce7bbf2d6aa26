package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.SwitchConnection.RoleOutcome;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFVersion;

/** The role of a connection whose switch knows none; barriers and time are the test's. */
class LocalRoleTest {
  private static final OFMessage BARRIER_REPLY =
      OFFactories.getFactory(OFVersion.OF_10).barrierReply();

  private final List<Integer> waits = new ArrayList<>();
  private final Deque<Runnable> alarms = new ArrayDeque<>();
  private final Deque<Request> barriers = new ArrayDeque<>();
  private final LocalRole role =
      new LocalRole(
          (millis, task) -> {
            waits.add(millis);
            alarms.add(task);
          },
          barriers::add);

  private CompletableFuture<RoleOutcome> request(SwitchRole wanted, long generation) {
    CompletableFuture<RoleOutcome> result = new CompletableFuture<>();
    role.request(wanted, generation, result);
    return result;
  }

  @Test
  void newMasterLeavesTheSwitchAloneForAWhileAndThenWaitsForABarrier() {
    CompletableFuture<RoleOutcome> result = request(SwitchRole.MASTER, 3);
    assertThat(waits).containsExactly(100);
    assertThat(barriers).as("before the time is over").isEmpty();
    alarms.remove().run();
    assertThat(barriers).hasSize(1);
    assertThat(role.isMaster()).as("before the barrier is answered").isFalse();
    assertThat(result).isNotDone();
    barriers.remove().onReply(BARRIER_REPLY);
    assertThat(role.isMaster()).isTrue();
    assertThat(result).isCompletedWithValue(new RoleOutcome.Granted(SwitchRole.MASTER, 3));
  }

  @Test
  void masterThatIsToBeNoneIsSilentBeforeTheSwitchAnswers() {
    CompletableFuture<RoleOutcome> master = request(SwitchRole.MASTER, 3);
    alarms.remove().run();
    barriers.remove().onReply(BARRIER_REPLY);
    assertThat(master).isCompletedWithValue(new RoleOutcome.Granted(SwitchRole.MASTER, 3));
    CompletableFuture<RoleOutcome> slave = request(SwitchRole.SLAVE, 4);
    assertThat(role.isMaster()).isFalse();
    assertThat(slave).isNotDone();
    barriers.remove().onReply(BARRIER_REPLY);
    assertThat(slave).isCompletedWithValue(new RoleOutcome.Granted(SwitchRole.SLAVE, 4));
  }

  @Test
  void equalHearsAndDoesNotActAndHearsOnUntilItIsMaster() {
    assertThat(role.hears()).as("at the beginning").isFalse();
    CompletableFuture<RoleOutcome> equal = request(SwitchRole.EQUAL, 3);
    assertThat(role.hears()).isTrue();
    assertThat(role.isMaster()).isFalse();
    barriers.remove().onReply(BARRIER_REPLY);
    assertThat(equal).isCompletedWithValue(new RoleOutcome.Granted(SwitchRole.EQUAL, 3));
    CompletableFuture<RoleOutcome> master = request(SwitchRole.MASTER, 4);
    assertThat(role.hears()).as("while the switch is left alone").isTrue();
    assertThat(role.isMaster()).isFalse();
    alarms.remove().run();
    barriers.remove().onReply(BARRIER_REPLY);
    assertThat(master).isCompletedWithValue(new RoleOutcome.Granted(SwitchRole.MASTER, 4));
    assertThat(role.isMaster()).isTrue();
  }

  @Test
  void masterThatStandsDownHearsUntilItIsASlave() {
    CompletableFuture<RoleOutcome> master = request(SwitchRole.MASTER, 3);
    alarms.remove().run();
    barriers.remove().onReply(BARRIER_REPLY);
    assertThat(master).isDone();
    role.standDown(new CompletableFuture<>());
    assertThat(role.isMaster()).isFalse();
    assertThat(role.hears()).isTrue();
    CompletableFuture<RoleOutcome> slave = request(SwitchRole.SLAVE, 4);
    assertThat(slave).isNotDone();
    assertThat(role.hears()).isFalse();
    role.standDown(new CompletableFuture<>());
    assertThat(role.hears()).as("a slave that stands down").isFalse();
  }

  @Test
  void masterThatStoodDownWhileItWaitedIsNotGranted() {
    CompletableFuture<RoleOutcome> result = request(SwitchRole.MASTER, 3);
    CompletableFuture<Boolean> still = new CompletableFuture<>();
    role.standDown(still);
    alarms.remove().run();
    barriers.remove().onReply(BARRIER_REPLY);
    barriers.remove().onReply(BARRIER_REPLY);
    assertThat(still).isCompletedWithValue(true);
    assertThat(result.join()).isInstanceOf(RoleOutcome.Failed.class);
    assertThat(role.isMaster()).isFalse();
  }

  @Test
  void masterWhoseBarrierIsRefusedOrLostIsNotGranted() {
    CompletableFuture<RoleOutcome> refused = request(SwitchRole.MASTER, 3);
    alarms.remove().run();
    barriers.remove().onError("BAD_REQUEST");
    assertThat(refused)
        .isCompletedWithValue(
            new RoleOutcome.Failed("the switch refused the barrier: BAD_REQUEST"));
    CompletableFuture<RoleOutcome> lost = request(SwitchRole.MASTER, 3);
    alarms.remove().run();
    barriers.remove().onLost("closed");
    assertThat(lost).isCompletedWithValue(new RoleOutcome.Failed("closed"));
    assertThat(role.isMaster()).isFalse();
  }
}
