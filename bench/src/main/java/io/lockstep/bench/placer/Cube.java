package io.lockstep.bench.placer;

import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The packets of a match: a value and a mask for each field that some rule of a set uses. It is
 * written for the references alone and shares no code with the placer. Immutable.
 */
final class Cube {
  private final long[] values;
  private final long[] masks;

  private Cube(long[] values, long[] masks) {
    this.values = values;
    this.masks = masks;
  }

  /** The packets of a match, seen through some fields; the match uses no other field. */
  static Cube of(TernaryMatch match, HeaderField[] fields) {
    long[] values = new long[fields.length];
    long[] masks = new long[fields.length];
    for (int i = 0; i < fields.length; i++) {
      values[i] = match.value(fields[i]);
      masks[i] = match.mask(fields[i]);
    }
    return new Cube(values, masks);
  }

  boolean overlaps(Cube other) {
    for (int i = 0; i < values.length; i++) {
      if (((values[i] ^ other.values[i]) & masks[i] & other.masks[i]) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether all packets of the other are in this. */
  boolean contains(Cube other) {
    for (int i = 0; i < values.length; i++) {
      if ((masks[i] & ~other.masks[i]) != 0 || ((values[i] ^ other.values[i]) & masks[i]) != 0) {
        return false;
      }
    }
    return true;
  }

  /** The packets in both; null where there is none. */
  @Nullable Cube both(Cube other) {
    if (!overlaps(other)) {
      return null;
    }
    long[] value = new long[values.length];
    long[] mask = new long[values.length];
    for (int i = 0; i < values.length; i++) {
      value[i] = values[i] | other.values[i];
      mask[i] = masks[i] | other.masks[i];
    }
    return new Cube(value, mask);
  }

  /** Disjoint cubes of the packets that are in this and not in the other, which overlaps it. */
  private List<Cube> without(Cube cut) {
    List<Cube> rest = new ArrayList<>();
    Cube inside = this;
    for (int i = 0; i < values.length; i++) {
      long open = cut.masks[i] & ~masks[i];
      while (open != 0) {
        long bit = Long.highestOneBit(open);
        rest.add(inside.fixed(i, bit, ~cut.values[i] & bit));
        inside = inside.fixed(i, bit, cut.values[i] & bit);
        open ^= bit;
      }
    }
    return rest;
  }

  private Cube fixed(int field, long bit, long value) {
    long[] otherValues = values.clone();
    long[] otherMasks = masks.clone();
    otherValues[field] |= value;
    otherMasks[field] |= bit;
    return new Cube(otherValues, otherMasks);
  }

  /**
   * Whether some packet of this is in none of the others.
   *
   * @param mostSplits of this into parts; beyond them the answer is yes, which costs a reference
   *     room and never exactness
   */
  boolean remains(List<Cube> cuts, int mostSplits) {
    return rest(cuts, 0, new int[] {mostSplits}) != null;
  }

  /** A part of this that is in none of the others; null where none is found within the splits. */
  @Nullable Cube part(List<Cube> cuts, int mostSplits) {
    int[] splitsLeft = {mostSplits};
    Cube rest = rest(cuts, 0, splitsLeft);
    return splitsLeft[0] < 0 ? null : rest;
  }

  private @Nullable Cube rest(List<Cube> cuts, int from, int[] splitsLeft) {
    for (int i = from; i < cuts.size(); i++) {
      Cube cut = cuts.get(i);
      if (cut.contains(this)) {
        return null;
      }
      if (cut.overlaps(this)) {
        for (Cube part : without(cut)) {
          if (splitsLeft[0]-- <= 0) {
            return part;
          }
          Cube rest = part.rest(cuts, i + 1, splitsLeft);
          if (rest != null) {
            return rest;
          }
        }
        return null;
      }
    }
    return this;
  }

  /** The value of a field, by its number; 0 in bits that are free. */
  long value(int field) {
    return values[field];
  }
}
