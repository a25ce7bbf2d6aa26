package io.lockstep.store.simulation;

import io.lockstep.store.log.Decision;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Everything ever decided, by its chain hash, and what its replies were. */
final class DecidedHistory {
  private record Step(Decision decision, ByteBuffer before) {}

  private final Map<ByteBuffer, Step> decided = new HashMap<>();
  private final Map<ByteBuffer, Integer> replies = new HashMap<>();

  void decided(Decision before, Decision next) {
    decided.put(ByteBuffer.wrap(next.chain()), new Step(next, ByteBuffer.wrap(before.chain())));
  }

  /** Whoever applies the same history must answer the same, now and after each recovery. */
  void applied(SimulatedReplica replica, Decision decision, List<byte[]> answers) {
    int hash = 1;
    for (byte[] answer : answers) {
      hash = 31 * hash + Arrays.hashCode(answer);
    }
    hash = 31 * hash + Long.hashCode(replica.machine().index());
    Integer before = replies.putIfAbsent(ByteBuffer.wrap(decision.chain()), hash);
    if (before != null && before != hash) {
      throw new AssertionError(
          "replica " + replica.id + " differs at instance " + decision.instance());
    }
  }

  /** The decisions after an instance that lead to {@code last}, or null where it lies before. */
  @Nullable List<Decision> between(long instance, Decision last) {
    ArrayDeque<Decision> found = new ArrayDeque<>();
    ByteBuffer chain = ByteBuffer.wrap(last.chain());
    for (long next = last.instance(); next > instance; next--) {
      Step step = Objects.requireNonNull(decided.get(chain));
      found.addFirst(step.decision);
      chain = step.before;
    }
    return instance > last.instance() ? null : List.copyOf(found);
  }

  /** Whether such decisions continue the history that ends with {@code end}. */
  boolean continues(Decision end, List<Decision> missing, Decision last) {
    if (missing.isEmpty()) {
      return Arrays.equals(end.chain(), last.chain());
    }
    Step first = Objects.requireNonNull(decided.get(ByteBuffer.wrap(missing.get(0).chain())));
    return first.before.equals(ByteBuffer.wrap(end.chain()));
  }
}
