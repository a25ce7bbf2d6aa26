package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.Rules;
import io.lockstep.store.logging.BoundedLog;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The rules that the replicas can follow, as each reports right after the handshake. Once all are
 * linked, the leader proposes rules that all can follow: the oldest of their newest rules, and the
 * smallest limit of the state. Until then the rules stay as they are. In a cluster that has begun,
 * numbers above {@link io.lockstep.store.Release#BASELINE} also need the operator's permission:
 * until then each node can go back to the release before.
 *
 * <p>Owned by the replica's loop.
 */
final class RulesAgreement implements Proposals.RulesDue {
  /** This replica's state. */
  interface Follower {
    /** The rules that it can follow; constant. */
    Rules offered();

    /** The rules that it follows now. */
    Rules rules();

    /** Whether anything was ordered before: a new cluster begins with the newest rules. */
    boolean begun();

    /** The newest number of rules that the operator permits; 0 for none. */
    int permitted();

    /**
     * The newest number of rules that each replica knows, by replica id; 0 for one that is not
     * linked.
     */
    void known(List<Integer> newest);
  }

  private static final BoundedLog log = BoundedLog.of(RulesAgreement.class);

  private final int self;
  private final Follower follower;
  private final BiConsumer<Integer, PeerNote> sender;
  private final @Nullable Rules[] offers;

  /**
   * @param sender sends a note to a peer
   */
  RulesAgreement(int self, int members, Follower follower, BiConsumer<Integer, PeerNote> sender) {
    this.self = self;
    this.follower = follower;
    this.sender = sender;
    this.offers = new @Nullable Rules[members];
    this.offers[self] = follower.offered();
    report();
  }

  /** Exchanges the offers of rules; returns whether the note was one. */
  boolean handle(int peer, PeerNote note) {
    if (note instanceof PeerNote.Offer offer) {
      reported(peer, offer.rules());
      report();
      return true;
    } else if (note instanceof PeerNote.LinkUp) {
      offers[peer] = null;
      report();
      sender.accept(peer, new PeerNote.Offer(follower.offered()));
    } else if (note instanceof PeerNote.LinkDown) {
      offers[peer] = null;
      report();
    }
    return false;
  }

  private void reported(int peer, Rules offer) {
    Rules own = follower.offered();
    if (!offer.equals(offers[peer]) && offer.stateMegabytes() != own.stateMegabytes()) {
      log.warn(
          peer,
          "replica {} limits the state to {} MB, this replica {} to {} MB: the smallest limit of all"
              + " applies; configure the same store.stateMegabytes everywhere",
          peer,
          offer.stateMegabytes(),
          self,
          own.stateMegabytes());
    }
    int present = follower.rules().number();
    if (!offer.equals(offers[peer]) && offer.number() < present) {
      log.warn(
          peer,
          "replica {} runs a release that knows versions of the cluster up to {}, and the cluster is"
              + " at version {}: run the release there that the other nodes run",
          peer,
          offer.number(),
          present);
    }
    offers[peer] = offer;
  }

  private void report() {
    follower.known(Arrays.stream(offers).map(o -> o == null ? 0 : o.number()).toList());
  }

  @Override
  public @Nullable Rules get() {
    Rules all = follower.offered();
    for (Rules offer : offers) {
      if (offer == null) {
        return null;
      }
      all = all.with(offer);
    }
    Rules present = follower.rules();
    if (all.number() == 1 || all.number() < present.number()) {
      return null;
    }
    Rules next = all.next(present, follower.begun(), follower.permitted());
    return next.equals(present) ? null : next;
  }
}
