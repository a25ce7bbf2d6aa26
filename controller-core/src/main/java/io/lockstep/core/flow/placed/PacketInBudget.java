package io.lockstep.core.flow.placed;

/**
 * How many entries that switches do not have a node counts packets of, all switches together.
 * Control loop only.
 */
public final class PacketInBudget {
  /** Of {@link PacketInRates#MAX_ENTRY_BYTES} each, so 5 MB. */
  static final int MAX_ENTRIES = 8_192;

  private int free = MAX_ENTRIES;

  /** Takes room for one; false where there is none. */
  boolean take() {
    if (free == 0) {
      return false;
    }
    free--;
    return true;
  }

  void give(int entries) {
    free += entries;
  }
}
