package io.lockstep.placer.oracle;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a table.
 *
 * @param value of each field
 * @param mask of each field
 * @param tag a condition beyond the fields, which a packet has or has not; null for none
 * @param action or null to ask the next table
 */
@SuppressWarnings("ArrayRecordComponent")
public record PlainEntry(
    int priority, long[] value, long[] mask, @Nullable String tag, @Nullable Object action) {

  boolean matches(PlainPacket packet) {
    for (int i = 0; i < value.length; i++) {
      if (((packet.fields()[i] ^ value[i]) & mask[i]) != 0) {
        return false;
      }
    }
    return tag == null || tag.equals(packet.tag());
  }

  boolean sameKey(PlainEntry other) {
    return priority == other.priority
        && Arrays.equals(value, other.value)
        && Arrays.equals(mask, other.mask)
        && String.valueOf(tag).equals(String.valueOf(other.tag));
  }

  /** Whether a field is looked at. */
  public boolean uses(int field) {
    return mask[field] != 0;
  }
}
