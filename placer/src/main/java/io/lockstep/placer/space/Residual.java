package io.lockstep.placer.space;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Computes the rest of a match after others are subtracted from it. The number of pieces can grow
 * exponentially, so every method has a bound, beyond which the answer is "not proven". A match with
 * conditions that the placer does not understand is never subtracted, since the packets that it
 * matches are unknown.
 */
public final class Residual {
  /** The answer of a search with a bound. */
  public enum Proof {
    YES,
    NO,
    NOT_PROVEN
  }

  private int left;

  private Residual(int bound) {
    left = bound;
  }

  /**
   * Disjoint matches that together are {@code whole} without {@code cuts}.
   *
   * @param maxPieces the most pieces, also of intermediate results; with more of them the answer is
   *     empty
   */
  public static Optional<List<TernaryMatch>> difference(
      TernaryMatch whole, List<TernaryMatch> cuts, int maxPieces) {
    List<TernaryMatch> pieces = List.of(whole);
    for (TernaryMatch cut : cuts) {
      List<TernaryMatch> remaining = new ArrayList<>();
      for (TernaryMatch piece : pieces) {
        if (cut.opaque() != null || !cut.overlaps(piece)) {
          remaining.add(piece);
        } else {
          split(piece, cut, remaining);
        }
        if (remaining.size() > maxPieces) {
          return Optional.empty();
        }
      }
      pieces = remaining;
    }
    return Optional.of(pieces);
  }

  /**
   * Whether nothing remains of {@code whole} without {@code cuts}.
   *
   * @param maxSplits how often a piece may be split until the answer is "not proven"
   */
  public static Proof covered(TernaryMatch whole, List<TernaryMatch> cuts, int maxSplits) {
    List<TernaryMatch> overlapping = new ArrayList<>();
    for (TernaryMatch cut : cuts) {
      if (cut.covers(whole)) {
        return Proof.YES;
      }
      if (cut.overlaps(whole)) {
        overlapping.add(cut);
      }
    }
    return coveredTogether(whole, overlapping, maxSplits);
  }

  /**
   * The same for cuts of which each is known to overlap {@code whole}, and none to cover it.
   *
   * @param maxSplits how often a piece may be split until the answer is "not proven"
   */
  public static Proof coveredTogether(TernaryMatch whole, List<TernaryMatch> cuts, int maxSplits) {
    double taken = 0;
    for (TernaryMatch cut : cuts) {
      taken += cut.opaque() == null ? Math.scalb(1.0, -whole.bitsFixedBy(cut)) : 0;
    }
    // Cuts that together are smaller than the whole, even if disjoint, cannot cover it. The sum of
    // powers of two may round, but only where it is far from 1 or there are 2^40 cuts.
    return taken < 1 - 1e-9 ? Proof.NO : new Residual(maxSplits).empty(whole, cuts, 0);
  }

  private Proof empty(TernaryMatch piece, List<TernaryMatch> cuts, int from) {
    for (int i = from; i < cuts.size(); i++) {
      TernaryMatch cut = cuts.get(i);
      if (cut.covers(piece)) {
        return Proof.YES;
      }
      if (cut.opaque() == null && cut.overlaps(piece)) {
        if (left-- <= 0) {
          return Proof.NOT_PROVEN;
        }
        List<TernaryMatch> rest = new ArrayList<>();
        split(piece, cut, rest);
        for (TernaryMatch part : rest) {
          Proof proof = empty(part, cuts, i + 1);
          if (proof != Proof.YES) {
            return proof;
          }
        }
        return Proof.YES;
      }
    }
    return Proof.NO;
  }

  /** Adds {@code piece} without {@code cut}, which it overlaps, as one match for each bit fixed. */
  private static void split(TernaryMatch piece, TernaryMatch cut, List<TernaryMatch> out) {
    TernaryMatch inside = piece;
    for (HeaderField field : HeaderField.values()) {
      long free = cut.mask(field) & ~piece.mask(field);
      while (free != 0) {
        long bit = Long.highestOneBit(free);
        long mask = inside.mask(field) | bit;
        long same = inside.value(field) | (cut.value(field) & bit);
        out.add(inside.with(field, same ^ bit, mask));
        inside = inside.with(field, same, mask);
        free ^= bit;
      }
    }
  }
}
