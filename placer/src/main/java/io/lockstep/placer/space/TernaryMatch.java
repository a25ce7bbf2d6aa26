package io.lockstep.placer.space;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The match of a rule: a value and a mask for each field. A packet matches if it has the value's
 * bits wherever the mask has ones. Conditions that the placer does not understand are kept as a
 * text. A match with such a text matches an unknown part of the packets that its fields match, so
 * it may overlap what these overlap, and covers nothing but itself. Immutable.
 */
public final class TernaryMatch {
  private static final TernaryMatch ANY = new TernaryMatch(0, new long[0], null);
  private static final HeaderField[] FIELDS = HeaderField.values();

  /** A bit for each field with a mask other than 0, and OPAQUE if there is such a text. */
  private final int fields;

  /** Value and mask of each field of {@link #fields} in the order of the enum; no zero masks. */
  private final long[] words;

  private final @Nullable String opaque;
  private final int hash;

  private TernaryMatch(int fields, long[] words, @Nullable String opaque) {
    this.fields = fields;
    this.words = words;
    this.opaque = opaque;
    this.hash =
        31 * (31 * fields + Arrays.hashCode(words)) + (opaque == null ? 0 : opaque.hashCode());
  }

  /** Matches every packet. */
  public static TernaryMatch any() {
    return ANY;
  }

  /** This match with the further condition that {@code field} has exactly this value. */
  public TernaryMatch with(HeaderField field, long value) {
    return with(field, value, field.full());
  }

  /**
   * This match with the further condition that {@code field} begins with the first {@code bits} of
   * the value.
   */
  public TernaryMatch withPrefix(HeaderField field, long value, int bits) {
    long mask = bits == 0 ? 0 : field.full() & (field.full() << (field.widthBits() - bits));
    return with(field, value, mask);
  }

  /**
   * This match with another value and mask of a field; a mask of 0 frees the field.
   *
   * @throws IllegalArgumentException for bits outside the field, or of {@code OPAQUE}
   */
  public TernaryMatch with(HeaderField field, long value, long mask) {
    if (field == HeaderField.OPAQUE || (mask & ~field.full()) != 0) {
      throw new IllegalArgumentException("no such bits in " + field.label());
    }
    int at = index(field);
    boolean had = (fields & field.bit()) != 0;
    if (mask == 0) {
      return had ? new TernaryMatch(fields & ~field.bit(), cut(at), opaque) : this;
    }
    long[] changed = had ? words.clone() : room(at);
    changed[at] = value & mask;
    changed[at + 1] = mask;
    return new TernaryMatch(fields | field.bit(), changed, opaque);
  }

  /** This match with conditions that the placer does not understand. */
  public TernaryMatch withOpaque(String conditions) {
    return new TernaryMatch(fields | HeaderField.OPAQUE.bit(), words, conditions);
  }

  private long[] cut(int at) {
    long[] shorter = new long[words.length - 2];
    System.arraycopy(words, 0, shorter, 0, at);
    System.arraycopy(words, at + 2, shorter, at, shorter.length - at);
    return shorter;
  }

  private long[] room(int at) {
    long[] longer = new long[words.length + 2];
    System.arraycopy(words, 0, longer, 0, at);
    System.arraycopy(words, at, longer, at + 2, words.length - at);
    return longer;
  }

  private int index(HeaderField field) {
    return 2 * Integer.bitCount(fields & (field.bit() - 1));
  }

  /** The fields that are not free, a bit each ({@link HeaderField#bit}). */
  public int fields() {
    return fields;
  }

  /** The value of a field, 0 in free bits. */
  public long value(HeaderField field) {
    return (fields & field.bit()) == 0 || field == HeaderField.OPAQUE ? 0 : words[index(field)];
  }

  /** The mask of a field, 0 where it is free. */
  public long mask(HeaderField field) {
    return (fields & field.bit()) == 0 || field == HeaderField.OPAQUE ? 0 : words[index(field) + 1];
  }

  /** The conditions that the placer does not understand. */
  public @Nullable String opaque() {
    return opaque;
  }

  /** Whether some packet may match both. */
  public boolean overlaps(TernaryMatch other) {
    int common = fields & other.fields & ~HeaderField.OPAQUE.bit();
    while (common != 0) {
      int below = (common & -common) - 1;
      int i = 2 * Integer.bitCount(fields & below);
      int j = 2 * Integer.bitCount(other.fields & below);
      if (((words[i] ^ other.words[j]) & words[i + 1] & other.words[j + 1]) != 0) {
        return false;
      }
      common &= common - 1;
    }
    return true;
  }

  /** Whether every packet that matches {@code other} provably matches this. */
  public boolean covers(TernaryMatch other) {
    if ((fields & ~other.fields) != 0 || (opaque != null && !opaque.equals(other.opaque))) {
      return false;
    }
    int mine = fields & ~HeaderField.OPAQUE.bit();
    for (int i = 0; mine != 0; i += 2, mine &= mine - 1) {
      int j = 2 * Integer.bitCount(other.fields & ((mine & -mine) - 1));
      if ((words[i + 1] & ~other.words[j + 1]) != 0
          || ((words[i] ^ other.words[j]) & words[i + 1]) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether every packet that matches both of two overlapping others provably matches this. */
  public boolean coversCommon(TernaryMatch one, TernaryMatch other) {
    int either = one.fields | other.fields;
    if ((fields & ~either) != 0
        || (opaque != null && !opaque.equals(one.opaque) && !opaque.equals(other.opaque))) {
      return false;
    }
    int mine = fields & ~HeaderField.OPAQUE.bit();
    for (int i = 0; mine != 0; i += 2, mine &= mine - 1) {
      int below = (mine & -mine) - 1;
      long first = one.rawMask(mine & -mine, below);
      long second = other.rawMask(mine & -mine, below);
      long value = first == 0 ? 0 : one.words[2 * Integer.bitCount(one.fields & below)];
      value |= second == 0 ? 0 : other.words[2 * Integer.bitCount(other.fields & below)];
      if ((words[i + 1] & ~(first | second)) != 0 || ((words[i] ^ value) & words[i + 1]) != 0) {
        return false;
      }
    }
    return true;
  }

  private long rawMask(int field, int below) {
    return (fields & field) == 0 ? 0 : words[2 * Integer.bitCount(fields & below) + 1];
  }

  /** The intersection of both, or null if it is empty or cannot be written as one match. */
  public @Nullable TernaryMatch intersection(TernaryMatch other) {
    boolean twoTexts = opaque != null && other.opaque != null && !opaque.equals(other.opaque);
    if (twoTexts || !overlaps(other)) {
      return null;
    }
    int all = fields | other.fields;
    int known = all & ~HeaderField.OPAQUE.bit();
    long[] both = new long[2 * Integer.bitCount(known)];
    for (int i = 0; known != 0; i += 2, known &= known - 1) {
      HeaderField field = FIELDS[Integer.numberOfTrailingZeros(known)];
      both[i] = value(field) | other.value(field);
      both[i + 1] = mask(field) | other.mask(field);
    }
    return new TernaryMatch(all, both, opaque == null ? other.opaque : opaque);
  }

  /**
   * The number of bits n that {@code other} fixes and this match leaves free. If the two overlap,
   * {@code other} matches the part 2^-n of this match.
   */
  public int bitsFixedBy(TernaryMatch other) {
    int bits = 0;
    int theirs = other.fields & ~HeaderField.OPAQUE.bit();
    for (int i = 1; theirs != 0; i += 2, theirs &= theirs - 1) {
      int field = theirs & -theirs;
      long mine = (fields & field) == 0 ? 0 : words[2 * Integer.bitCount(fields & (field - 1)) + 1];
      bits += Long.bitCount(other.words[i] & ~mine);
    }
    return bits;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TernaryMatch that
        && hash == that.hash
        && fields == that.fields
        && Arrays.equals(words, that.words)
        && (opaque == null ? that.opaque == null : opaque.equals(that.opaque));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** For messages: {@code eth_type=0x800,ipv4_dst=0xa000000/0xff000000}. */
  @Override
  public String toString() {
    if (fields == 0) {
      return "any";
    }
    StringBuilder text = new StringBuilder();
    for (HeaderField field : FIELDS) {
      if (mask(field) != 0) {
        text.append(text.isEmpty() ? "" : ",").append(field.label()).append("=0x");
        text.append(Long.toHexString(value(field)));
        if (mask(field) != field.full()) {
          text.append("/0x").append(Long.toHexString(mask(field)));
        }
      }
    }
    if (opaque != null) {
      text.append(text.isEmpty() ? "" : ",").append("opaque=").append(opaque);
    }
    return text.toString();
  }
}
