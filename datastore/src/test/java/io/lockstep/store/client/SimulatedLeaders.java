package io.lockstep.store.client;

import io.lockstep.store.engine.LeaderClock;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;

/**
 * Three replicas, one of which leads, as far as it concerns the time of their proposals: their
 * monotonic clocks begin anywhere and run at rates of their own, their wall clocks say anything,
 * and they hear of proposals and decisions sooner or later.
 */
final class SimulatedLeaders {
  private static final int REPLICAS = 3;

  /**
   * A proposal.
   *
   * @param value tells proposals apart
   * @param by whose it is
   */
  record Proposal(byte[] value, long timeMillis, int by) {}

  private static final class Leader {
    double rate = 1;
    long offsetMillis;
    final LeaderClock clock;
    final ArrayDeque<Proposal> toApply = new ArrayDeque<>();

    Leader(SimulatedLoop loop, long beginNanos) {
      clock =
          new LeaderClock(
              () -> beginNanos + (long) (loop.nowNanos() * rate),
              () -> loop.nowNanos() / 1_000_000 + offsetMillis);
    }

    void catchUp() {
      while (!toApply.isEmpty()) {
        Proposal next = toApply.remove();
        clock.applied(next.value, next.timeMillis);
      }
    }
  }

  private final Random random;
  private final List<Leader> leaders = new ArrayList<>();
  private int leading;
  private long proposals;

  SimulatedLeaders(SimulatedLoop loop, Random random) {
    this.random = random;
    for (int id = 0; id < REPLICAS; id++) {
      leaders.add(new Leader(loop, random.nextLong() >> 16));
      setWallClock(id, 1_000_000);
    }
  }

  /** What a replica's wall clock says more than the simulation's. */
  void setWallClock(int id, long offsetMillis) {
    leaders.get(id).offsetMillis = offsetMillis;
  }

  /** How fast the replicas' monotonic clocks run, each of its own. */
  void setRates(DoubleUnaryOperator rateOfId) {
    for (int id = 0; id < REPLICAS; id++) {
      leaders.get(id).rate = rateOfId.applyAsDouble(id);
    }
  }

  /** The next replica leads; it has all that was decided. */
  void change() {
    leading = (leading + 1) % REPLICAS;
    leaders.get(leading).catchUp();
  }

  /** The leader proposes something; it reaches some of the others. */
  Proposal propose() {
    Leader leader = leaders.get(leading);
    byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(++proposals).array();
    Proposal proposal = new Proposal(value, leader.clock.nowMillis(), leading);
    leader.clock.proposed(value);
    for (Leader each : leaders) {
      if (random.nextInt(4) > 0) {
        each.clock.arrived(value);
      }
    }
    return proposal;
  }

  /** Whether a proposal was lost with its leader; half of those that were on their way are. */
  boolean dropped(Proposal proposal) {
    return proposal.by != leading && random.nextBoolean();
  }

  /** The leader applies a decision now, the others sooner or later. */
  void decided(Proposal proposal) {
    for (int id = 0; id < REPLICAS; id++) {
      Leader each = leaders.get(id);
      each.toApply.add(proposal);
      if (id == leading || random.nextBoolean()) {
        each.catchUp();
      }
    }
  }
}
