package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.OrderedState.Decision;
import io.lockstep.store.engine.bftsmart.PeerTable.Heard;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a replica without memory into the cluster. One rule covers the first start of an empty
 * cluster, a single restart, and the restart of several beside a survivor: hear all others, fetch
 * until nobody is known to have decided more, then take part.
 *
 * <p>All others must be heard because this replica has forgotten what it accepted and acknowledged:
 * an acknowledged decision was applied by a majority, so with at most f replicas that lost their
 * memory at least one of all the others has it, but a mere majority might miss it (hazard 5).
 *
 * <p>Owned by the library's communication thread.
 */
final class Rejoin {
  private static final Logger log = LoggerFactory.getLogger(Rejoin.class);
  private static final long UNKNOWN = Long.MIN_VALUE;

  private final int self;
  private final PeerTable peers;
  private final OrderedState state;
  private final LibraryStack stack;
  private final Transfer transfer;

  /** The highest instance that any other replica had decided when all were first heard. */
  private long target = UNKNOWN;

  Rejoin(int self, PeerTable peers, OrderedState state, LibraryStack stack, Transfer transfer) {
    this.self = self;
    this.peers = peers;
    this.state = state;
    this.stack = stack;
    this.transfer = transfer;
  }

  /** Whether the replica is past waiting and fetches. */
  boolean fetching() {
    return target != UNKNOWN;
  }

  /**
   * One step.
   *
   * @return whether the replica has become operational
   */
  boolean tick(long nowMillis) {
    if (!peers.allFresh(nowMillis)) {
      return false;
    }
    List<Heard> others = peers.fresh(nowMillis);
    if (target == UNKNOWN) {
      target = others.stream().mapToLong(other -> other.beat().decided()).max().orElse(-1);
    }
    long mine = state.applied();
    Heard best = mostAdvanced(others);
    if (best.beat().applied() > mine && !(mine >= target && stack.holdsProposal(mine + 1))) {
      transfer.fetch(best.peer(), nowMillis);
      return false;
    }
    if (mine < target) {
      return false;
    }
    join(others);
    return true;
  }

  private static Heard mostAdvanced(List<Heard> others) {
    Heard best = others.get(0);
    for (Heard other : others) {
      boolean further = other.beat().applied() > best.beat().applied();
      boolean readier =
          other.beat().applied() == best.beat().applied()
              && other.beat().operational()
              && !best.beat().operational();
      if (further || readier) {
        best = other;
      }
    }
    return best;
  }

  private void join(List<Heard> others) {
    Decision last = state.last();
    Heard newest = newestRegency(others);
    stack.becomeOperational(last);
    int regency = newest == null ? 0 : newest.beat().regency();
    int leader = LeaderChangeRules.leaderOf(regency, others.size() + 1);
    log.info(
        "replica {} takes part from instance {} in regency {} of leader {}{}",
        self,
        last.instance() + 1,
        regency,
        leader,
        newest == null ? ", a new cluster" : "");
    // A leader that restarted knows nothing of its own proposals.
    if (leader == self && others.stream().anyMatch(other -> other.beat().leaderSeen())) {
      stack.handOver(regency);
    } else {
      stack.adopt(regency);
    }
  }

  private static @Nullable Heard newestRegency(List<Heard> others) {
    Heard newest = null;
    for (Heard other : others) {
      if (other.beat().operational()
          && (newest == null || other.beat().regency() > newest.beat().regency())) {
        newest = other;
      }
    }
    return newest;
  }
}
