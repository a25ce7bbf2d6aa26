package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.PeerNote.Beat;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a replica that does not take part does next, given its own memory and what it hears: the
 * rules of docs/adr/0005, "Coming back".
 *
 * <p>Histories are compared by their place: the regency of the last decision, then its instance. Of
 * any majority that remembers, the history with the highest place has every operation that was ever
 * acknowledged.
 *
 * <p>Pure: no state, no clock.
 */
final class RejoinRules {

  /** A replica that is heard, or this one. */
  record Member(int id, Beat beat) {
    boolean behind(Member other) {
      return PLACE.compare(this, other) < 0;
    }
  }

  /**
   * How this replica's history relates to that of the peer it would follow.
   *
   * @param differs whether the history is known to contain something that the peer's does not
   * @param verified whether it is known to be a beginning of the peer's
   * @param caughtUp whether everything that follows it is on its way to this replica already
   */
  record Relation(boolean differs, boolean verified, boolean caughtUp) {}

  /** What to do now. */
  sealed interface Step {}

  /** Nothing yet. */
  record Wait(String why) implements Step {}

  /**
   * Ask a peer for what it has more.
   *
   * @param mayTakeBack whether what is here and not there may be given up
   */
  record Fetch(int peer, boolean mayTakeBack) implements Step {}

  /** Give up what is here and not in that peer's history. */
  record TakeBack(int peer) implements Step {}

  /** Take part in a regency that others have begun, or in the first one of a new cluster. */
  record Join(int regency) implements Step {}

  /** Take part by asking for a new regency. */
  record AskFor(int regency) implements Step {}

  private static final Comparator<Member> PLACE =
      Comparator.<Member>comparingInt(member -> member.beat.lastRegency())
          .thenComparingLong(member -> member.beat.last());

  private RejoinRules() {}

  /**
   * Decides.
   *
   * @param members replicas in the cluster
   * @param self this replica and the beat it would send
   * @param others those heard of lately
   * @param relation to the peer that is given
   */
  static Step decide(
      int members, Member self, List<Member> others, Function<Member, Relation> relation) {
    if (members == 1) {
      return new Join(Math.max(self.beat.promised(), self.beat.lastRegency()));
    }
    boolean all = others.size() == members - 1;
    if (!self.beat.joined() && !all) {
      return new Wait("without a memory it needs an answer from all others");
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
      return new Wait("others have promised more than those that take part know of");
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
   * Rules 1 and 3: somebody takes part in a regency that this replica may follow.
   *
   * <p>The regency began with the best history of a majority. What is here and not there was not
   * acknowledged.
   */
  private static Step beside(
      int members, Member self, List<Member> others, Member ahead, Relation known) {
    if (known.differs
        || (self.beat.last() > ahead.beat.last()
            && self.beat.lastRegency() < ahead.beat.lastRegency())) {
      return new TakeBack(ahead.id);
    }
    if (ahead.beat.last() > self.beat.last() && !(known.verified && known.caughtUp)) {
      return new Fetch(ahead.id, true);
    }
    if (!self.beat.joined()) {
      Predicate<Member> hasMore = other -> !other.beat.operational() && self.behind(other);
      if (others.stream().anyMatch(hasMore)) {
        return new Wait("a replica that does not take part yet has more");
      }
    }
    int regency = ahead.beat.regency();
    boolean mayHaveLed =
        self.beat.joined()
            ? self.beat.promised() >= regency
            : others.stream()
                .anyMatch(other -> other.beat.regency() == regency && other.beat.leaderSeen());
    boolean leader = LeaderChangeRules.leaderOf(regency, members) == self.id;
    // A leader that comes back knows nothing of what it has proposed.
    return leader && mayHaveLed ? new AskFor(newRegency(members, self, others)) : new Join(regency);
  }

  /** Rule 2: nobody takes part; those that remember begin anew with the best history. */
  private static Step together(
      int members,
      Member self,
      List<Member> others,
      boolean all,
      Function<Member, Relation> relation) {
    long remember =
        others.stream().filter(other -> other.beat.joined()).count() + (self.beat.joined() ? 1 : 0);
    if (!all && remember <= members / 2) {
      return new Wait("a majority that remembers is needed, or everybody");
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

  private static int highestPromise(List<Member> others) {
    return others.stream()
        .mapToInt(other -> Math.max(other.beat.promised(), other.beat.regency()))
        .max()
        .orElse(0);
  }

  /**
   * Higher than all that this replica has promised and than what others have; but the one that
   * another replica asks for already, where it is high enough. Its leader is somebody who is there.
   */
  private static int newRegency(int members, Member self, List<Member> others) {
    int regency = self.beat.promised() + 1;
    for (Member other : others) {
      Beat beat = other.beat;
      int low = beat.asking() >= 0 ? beat.asking() : Math.max(beat.promised(), beat.regency()) + 1;
      regency = Math.max(regency, low);
    }
    Predicate<Integer> there =
        id -> id == self.id || others.stream().anyMatch(other -> other.id == id);
    return FailureDetector.next(regency - 1, members, id -> !there.test(id));
  }
}
