package io.lockstep.dataplane.flowtable;

import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.packet.OxmField.Layer;
import io.lockstep.dataplane.packet.Packet;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Values and masks of the fields a flow entry matches (OpenFlow 1.3.5 section 7.2.3). Immutable.
 * Invariant: a value has no bit outside its mask, so equal matches have equal words.
 */
public final class FlowMatch {
  /** Matches every packet. */
  public static final FlowMatch ANY = builder().build();

  private final long[] values;
  private final long[] masks;
  private final long usedSlots;
  private final Layer deepest;
  private final int hash;

  private FlowMatch(long[] values, long[] masks) {
    this.values = values;
    this.masks = masks;
    long used = 0;
    Layer layer = Layer.PIPELINE;
    for (int slot = 0; slot < OxmField.SLOTS; slot++) {
      if (masks[slot] != 0) {
        OxmField field = OxmField.ofSlot(slot);
        used |= 1L << field.slot();
        layer = layer.compareTo(field.layer()) < 0 ? field.layer() : layer;
      }
    }
    this.usedSlots = used;
    this.deepest = layer;
    this.hash = Arrays.hashCode(values) * 31 + Arrays.hashCode(masks);
  }

  /** Starts with a match of every packet. */
  public static Builder builder() {
    return new Builder();
  }

  /** The value of one word, see {@link OxmField#slot()}. */
  public long value(int slot) {
    return values[slot];
  }

  /** The mask of one word; zero where the field is wildcarded. */
  public long mask(int slot) {
    return masks[slot];
  }

  /** Whether the match says anything about the field. */
  public boolean uses(OxmField field) {
    return (usedSlots & 1L << field.slot()) != 0;
  }

  /** Whether the field is matched in every bit. */
  public boolean isExact(OxmField field) {
    for (int i = 0; i < field.words(); i++) {
      if (masks[field.slot() + i] != field.fullMask()) {
        return false;
      }
    }
    return true;
  }

  /** The fields that are matched, in their order. */
  public Set<OxmField> fields() {
    Set<OxmField> fields = EnumSet.noneOf(OxmField.class);
    for (OxmField field : OxmField.values()) {
      if (uses(field)) {
        fields.add(field);
      }
    }
    return fields;
  }

  /** The fields that are matched, but not in every bit. */
  public Set<OxmField> maskedFields() {
    Set<OxmField> fields = fields();
    fields.removeIf(this::isExact);
    return fields;
  }

  /** Whether nothing is matched, as in a table-miss entry. */
  public boolean isAny() {
    return usedSlots == 0;
  }

  /** Whether the packet has all the fields used, with these values (section 5.3). */
  public boolean matches(Packet packet) {
    if (!packet.hasAll(usedSlots, deepest)) {
      return false;
    }
    for (int slot = 0; slot < OxmField.SLOTS; slot++) {
      if (masks[slot] != 0 && (packet.slot(slot) & masks[slot]) != values[slot]) {
        return false;
      }
    }
    return true;
  }

  /** Whether every packet that matches {@code other} matches this one too (section 6.4). */
  public boolean covers(FlowMatch other) {
    for (int slot = 0; slot < OxmField.SLOTS; slot++) {
      long mask = masks[slot];
      if ((other.masks[slot] & mask) != mask || (other.values[slot] & mask) != values[slot]) {
        return false;
      }
    }
    return true;
  }

  /** Whether one packet could match both (section 6.4, overlap). */
  public boolean overlaps(FlowMatch other) {
    for (int slot = 0; slot < OxmField.SLOTS; slot++) {
      long common = masks[slot] & other.masks[slot];
      if (((values[slot] ^ other.values[slot]) & common) != 0) {
        return false;
      }
    }
    return true;
  }

  boolean sameMasks(long[] otherMasks) {
    return Arrays.equals(masks, otherMasks);
  }

  long[] masksCopy() {
    return masks.clone();
  }

  long usedSlots() {
    return usedSlots;
  }

  Layer deepest() {
    return deepest;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FlowMatch that
        && hash == that.hash
        && Arrays.equals(values, that.values)
        && Arrays.equals(masks, that.masks);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    if (isAny()) {
      return "any";
    }
    StringBuilder text = new StringBuilder();
    for (OxmField field : OxmField.values()) {
      if (uses(field)) {
        text.append(text.isEmpty() ? "" : ",")
            .append(field)
            .append('=')
            .append(words(field, values));
        if (!isExact(field)) {
          text.append('/').append(words(field, masks));
        }
      }
    }
    return text.toString();
  }

  private static String words(OxmField field, long[] from) {
    String first = Long.toHexString(from[field.slot()]);
    return field.words() == 1 ? first : first + ":" + Long.toHexString(from[field.slot() + 1]);
  }

  /** Collects fields; the last call for a field wins. */
  public static final class Builder {
    private final long[] values = new long[OxmField.SLOTS];
    private final long[] masks = new long[OxmField.SLOTS];

    private Builder() {}

    /** Matches all bits of a field of up to 64 bits. */
    public Builder exact(OxmField field, long value) {
      return masked(field, value, field.fullMask());
    }

    /** Matches the bits of {@code mask}; bits of the value outside it are dropped. */
    public Builder masked(OxmField field, long value, long mask) {
      if (field.words() != 1) {
        throw new IllegalArgumentException(field + " has two words");
      }
      values[field.slot()] = value & mask;
      masks[field.slot()] = mask;
      return this;
    }

    /** Matches the bits of a mask in an IPv6 address. */
    public Builder masked128(OxmField field, long high, long low, long maskHigh, long maskLow) {
      if (field.words() != 2) {
        throw new IllegalArgumentException(field + " has one word");
      }
      values[field.slot()] = high & maskHigh;
      values[field.slot() + 1] = low & maskLow;
      masks[field.slot()] = maskHigh;
      masks[field.slot() + 1] = maskLow;
      return this;
    }

    /** The match; not yet checked against the specification, see {@link MatchCheck}. */
    public FlowMatch build() {
      return new FlowMatch(values.clone(), masks.clone());
    }
  }
}
