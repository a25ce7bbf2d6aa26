package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.engine.bftsmart.PeerNote.Beat;
import io.lockstep.store.engine.bftsmart.PeerNote.ReportedHistory;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/** The engine's pure rules as they are, for simulations of whole clusters. */
public final class EngineRules {
  private EngineRules() {}

  /**
   * What a replica tells of itself; see {@code PeerNote.Beat}.
   *
   * @param regency in which it takes part, or -1
   * @param leaderSeen whether it has known that regency's leader to take part
   * @param joined whether it remembers to have taken part
   * @param promised the highest regency that it has promised
   * @param asking the regency that it asks for, or -1
   * @param last in its log
   */
  public record Told(
      int id,
      int regency,
      boolean leaderSeen,
      boolean joined,
      int promised,
      int asking,
      Decision last) {

    private RejoinRules.Member member() {
      return new RejoinRules.Member(
          id,
          new Beat(
              regency,
              regency >= 0,
              -1,
              leaderSeen,
              joined,
              promised,
              asking,
              last.instance(),
              last.regency(),
              last.chain(),
              Willingness.WILLING));
    }
  }

  /** How the own history relates to a peer's; see {@code RejoinRules.Relation}. */
  public record Related(boolean differs, boolean verified, boolean caughtUp) {}

  /** What to do. */
  public enum Action {
    WAIT,
    FETCH,
    DROP_DECISIONS,
    JOIN,
    ASK
  }

  /**
   * A decision of {@link RejoinRules}.
   *
   * @param peer to fetch from, or -1
   * @param regency to join or ask for, or -1
   * @param mayDrop whether the replica may drop decisions that the peer lacks
   */
  public record Step(Action action, int peer, int regency, boolean mayDrop) {}

  /** What a replica that does not take part does next. */
  public static Step decide(
      int members, Told self, List<Told> others, IntFunction<Related> related) {
    RejoinRules.Step step =
        RejoinRules.decide(
            members,
            self.member(),
            others.stream().map(Told::member).toList(),
            peer -> {
              Related known = related.apply(peer.id());
              return new RejoinRules.Relation(known.differs, known.verified, known.caughtUp);
            });
    if (step instanceof RejoinRules.Fetch fetch) {
      return new Step(Action.FETCH, fetch.peer(), -1, fetch.mayDrop());
    } else if (step instanceof RejoinRules.DropDecisions drop) {
      return new Step(Action.DROP_DECISIONS, drop.peer(), -1, true);
    } else if (step instanceof RejoinRules.Join join) {
      return new Step(Action.JOIN, -1, join.regency(), false);
    } else if (step instanceof RejoinRules.AskFor ask) {
      return new Step(Action.ASK, -1, ask.regency(), false);
    }
    return new Step(Action.WAIT, -1, -1, false);
  }

  /** Whether a history's place is higher than another's; see {@link ReportedHistories#higher}. */
  public static boolean higher(Decision left, Decision right) {
    return ReportedHistories.higher(history(left, left.chain()), history(right, right.chain()));
  }

  /**
   * Whether a log is no beginning of the history that a regency begins with; see {@link
   * ReportedHistories#loses}.
   *
   * @param before the chain hash before the winner's last decision
   */
  public static boolean loses(DecisionLog log, Decision winner, byte[] before) {
    return new ReportedHistories(log).loses(history(winner, before));
  }

  /** Which replies need not wait for the disk; see {@link DurableIndex}. */
  public static final class EarlyReplies {
    private final DurableIndex index = new DurableIndex();

    /** The state is made anew, of what is durable. */
    public void begin(long durableIndex) {
      index.begin(durableIndex);
    }

    /** A decision was applied. */
    public void applied(long instance, long indexAfter, Decision durable) {
      index.applied(instance, indexAfter, durable);
    }

    /** Whether a reply may leave at once. */
    public boolean admits(OrderedReply reply, int regency, Decision durable) {
      return index.admits(reply, regency, durable);
    }
  }

  private static ReportedHistory history(Decision last, byte[] before) {
    return new ReportedHistory(
        0, last.instance(), last.regency(), last.chain(), Arrays.copyOf(before, before.length));
  }
}
