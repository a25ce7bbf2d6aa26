package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.Rules;
import io.lockstep.store.logging.BoundedLog;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The rules that the replicas can follow, as each reports right after the handshake. Once all are
 * linked, the leader proposes rules that all can follow: the oldest of their newest rules, and the
 * smallest limit of the state. Until then the rules stay as they are.
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
  }

  /** Exchanges the offers of rules; returns whether the note was one. */
  boolean handle(int peer, PeerNote note) {
    if (note instanceof PeerNote.Offer offer) {
      reported(peer, offer.rules());
      return true;
    } else if (note instanceof PeerNote.LinkUp) {
      offers[peer] = null;
      sender.accept(peer, new PeerNote.Offer(follower.offered()));
    } else if (note instanceof PeerNote.LinkDown) {
      offers[peer] = null;
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
    offers[peer] = offer;
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
    boolean older = all.number() == 1 || all.number() < present.number();
    return older || all.equals(present) ? null : all;
  }
}
