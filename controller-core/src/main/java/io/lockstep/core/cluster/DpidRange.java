package io.lockstep.core.cluster;

/** Datapath ids from first to last, both inclusive, as unsigned 64-bit numbers. */
public record DpidRange(long first, long last) {
  public DpidRange {
    if (Long.compareUnsigned(first, last) > 0) {
      throw new IllegalArgumentException(
          "datapath ids from "
              + Long.toHexString(first)
              + " to "
              + Long.toHexString(last)
              + " are no range");
    }
  }

  /** The range of all datapath ids. */
  public static DpidRange all() {
    return new DpidRange(0, -1L);
  }

  /** Whether the datapath id is in the range. */
  public boolean contains(long dpid) {
    return Long.compareUnsigned(first, dpid) <= 0 && Long.compareUnsigned(dpid, last) <= 0;
  }
}
