package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.PeerNote.Beat;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides the next step of a replica that does not take part, from its own memory and the beats of
 * the others. The rules are in docs/adr/0005, "Coming back".
 *
 * <p>Histories are compared by their place: the regency of the last decision, then its instance.
 * Among the histories of any majority with a memory, the one with the highest place contains every
 * acknowledged operation.
 *
 * <p>Pure: no state, no clock.
 */
final class RejoinRules {

  /** A replica with a recent beat, or this one. */
  record Member(int id, Beat beat) {
    boolean behind(Member other) {
      return PLACE.compare(this, other) < 0;
    }
  }

  /**
   * The relation of this replica's history to that of the peer it would follow.
   *
   * @param differs whether this history is known to contain something that the peer's lacks
   * @param verified whether it is known to be a beginning of the peer's
   * @param caughtUp whether everything that follows it is already on its way to this replica
   */
  record Relation(boolean differs, boolean verified, boolean caughtUp) {}

  /** The next step. */
  sealed interface Step {}

  /** Do nothing yet. */
  record Wait(String why) implements Step {}

  /**
   * Ask a peer for the decisions that this replica lacks.
   *
   * @param mayDrop whether this replica may drop decisions that the peer lacks
   */
  record Fetch(int peer, boolean mayDrop) implements Step {}

  /** Drop the decisions that are not in that peer's history. */
  record DropDecisions(int peer) implements Step {}

  /** Take part in a regency that others have begun, or in the first one of a new cluster. */
  record Join(int regency) implements Step {}

  /** Take part by asking for a new regency. */
  record AskFor(int regency) implements Step {}

  private static final Comparator<Member> PLACE =
      Comparator.<Member>comparingInt(member -> member.beat.lastRegency())
          .thenComparingLong(member -> member.beat.last());

  private RejoinRules() {}

  /**
   * Decides the next step.
   *
   * @param members replicas in the cluster
   * @param self this replica and the beat that it would send
   * @param others replicas with recent beats
   * @param relation this replica's relation to a given peer
   */
  static Step decide(
      int members, Member self, List<Member> others, Function<Member, Relation> relation) {
    if (members == 1) {
      return new Join(Math.max(self.beat.promised(), self.beat.lastRegency()));
    }
    boolean all = others.size() == members - 1;
    if (!self.beat.joined() && !all) {
      return new Wait("it has no memory, so it needs answers from all other replicas");
    }
    Member ahead = mostAdvancedInTheHighestRegency(others);
    if (ahead == null) {
      return together(members, self, others, all, relation);
    }
    int promised = self.beat.joined() ? self.beat.promised() : highestPromise(others);
    if (ahead.beat.regency() >= promised) {
      return beside(members, self, others, ahead, relation.apply(ahead));
    }
    if (!self.beat.joined()) {
      // A majority that remembers may have begun the higher regency, or still can. Fewer cannot:
      // more replicas have forgotten than may fail at once, and nothing is left to wait for.
      return remembering(self, others) > members / 2
          ? new Wait("a replica has promised a higher regency than the operational replicas know")
          : together(members, self, others, all, relation);
    }
    Relation known = relation.apply(ahead);
    boolean fetchFirst = ahead.beat.last() > self.beat.last() && !known.differs;
    return fetchFirst && !known.caughtUp
        ? new Fetch(ahead.id, false)
        : new AskFor(newRegency(members, self, others));
  }

  private static @Nullable Member mostAdvancedInTheHighestRegency(List<Member> others) {
    return others.stream()
        .filter(other -> other.beat.operational())
        .max(Comparator.<Member>comparingInt(other -> other.beat.regency()).thenComparing(PLACE))
        .orElse(null);
  }

  /**
   * Rules 1 and 3: a peer takes part in a regency that this replica may follow.
   *
   * <p>The regency began with the best history of a majority. A decision that this replica has and
   * that history lacks was not acknowledged.
   */
  private static Step beside(
      int members, Member self, List<Member> others, Member ahead, Relation known) {
    if (known.differs
        || (self.beat.last() > ahead.beat.last()
            && self.beat.lastRegency() < ahead.beat.lastRegency())) {
      return new DropDecisions(ahead.id);
    }
    if (ahead.beat.last() > self.beat.last() && !(known.verified && known.caughtUp)) {
      return new Fetch(ahead.id, true);
    }
    if (!self.beat.joined()) {
      Predicate<Member> hasMore = other -> !other.beat.operational() && self.behind(other);
      if (others.stream().anyMatch(hasMore)) {
        return new Wait("a replica that does not take part yet has more decisions");
      }
    }
    int regency = ahead.beat.regency();
    boolean mayHaveLed =
        self.beat.joined()
            ? self.beat.promised() >= regency
            : others.stream()
                .anyMatch(other -> other.beat.regency() == regency && other.beat.leaderSeen());
    boolean leader = LeaderChangeRules.leaderOf(regency, members) == self.id;
    // A leader that returns has lost its proposals.
    return leader && mayHaveLed ? new AskFor(newRegency(members, self, others)) : new Join(regency);
  }

  /**
   * Rule 2: no replica takes part, or none that can begin the regency that one has promised. Those
   * with a memory begin again with the best history.
   */
  private static Step together(
      int members,
      Member self,
      List<Member> others,
      boolean all,
      Function<Member, Relation> relation) {
    long remember = remembering(self, others);
    if (!all && remember <= members / 2) {
      return new Wait("it needs a majority of replicas with a memory, or all replicas");
    }
    if (remember == 0 && self.beat.last() < 0 && others.stream().allMatch(o -> o.beat.last() < 0)) {
      return new Join(0);
    }
    Member best = others.stream().max(PLACE).orElse(self);
    // The same history ends in a later regency there if only that replica decided it again.
    boolean same = best.beat.last() == self.beat.last() && relation.apply(best).verified;
    if (self.behind(best) && !same) {
      return new Fetch(best.id, true);
    }
    return new AskFor(newRegency(members, self, others));
  }

  private static long remembering(Member self, List<Member> others) {
    return others.stream().filter(other -> other.beat.joined()).count()
        + (self.beat.joined() ? 1 : 0);
  }

  private static int highestPromise(List<Member> others) {
    return others.stream()
        .mapToInt(other -> Math.max(other.beat.promised(), other.beat.regency()))
        .max()
        .orElse(0);
  }

  /**
   * A regency above all that this replica has promised and that others have. If another replica
   * already asks for one that is high enough, it is that one. Its leader is a replica with a recent
   * beat, and of those the most willing.
   */
  private static int newRegency(int members, Member self, List<Member> others) {
    int regency = self.beat.promised() + 1;
    for (Member other : others) {
      Beat beat = other.beat;
      int low = beat.asking() >= 0 ? beat.asking() : Math.max(beat.promised(), beat.regency()) + 1;
      regency = Math.max(regency, low);
    }
    Map<Integer, Willingness> there = new HashMap<>();
    there.put(self.id, self.beat.willingness());
    others.forEach(other -> there.put(other.id, other.beat.willingness()));
    return Succession.next(
        regency - 1,
        members,
        id -> !there.containsKey(id),
        id -> there.getOrDefault(id, Willingness.WILLING));
  }
}
