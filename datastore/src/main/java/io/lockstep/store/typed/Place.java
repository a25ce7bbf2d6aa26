package io.lockstep.store.typed;

import io.lockstep.store.Bytes;
import io.lockstep.store.core.Limits;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Where an operation looks or writes, for messages and bounds. */
record Place(String table, Bytes key) {
  private static final int SHOWN_BYTES = 32;

  /** What is too large, with the remedy but without the place; null where nothing is. */
  @Nullable String tooLarge(Bytes value) {
    if (key.length() > Limits.KEY_BYTES) {
      return "a key is at most "
          + Limits.KEY_BYTES
          + " bytes, not "
          + key.length()
          + "; write it shorter, or a digest of it";
    }
    if (value.length() > Limits.VALUE_BYTES) {
      return "a value is at most "
          + Limits.VALUE_BYTES
          + " bytes, not "
          + value.length()
          + "; split it over several entries";
    }
    return null;
  }

  @Override
  public String toString() {
    byte[] octets = key.toArray();
    String shown =
        octets.length <= SHOWN_BYTES
            ? key.toString()
            : Bytes.copyOf(Arrays.copyOf(octets, SHOWN_BYTES)) + "...";
    return "table \"" + table + "\", key 0x" + shown;
  }
}
