package io.lockstep.core.cluster;

import java.util.ArrayList;
import java.util.List;

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

  /** Whether two ranges have an id in common. */
  public boolean overlaps(DpidRange other) {
    return contains(other.first) || other.contains(first);
  }

  /** What is left of this range without another: no range, one or two, in ascending order. */
  List<DpidRange> without(DpidRange other) {
    if (!overlaps(other)) {
      return List.of(this);
    }
    List<DpidRange> left = new ArrayList<>();
    if (Long.compareUnsigned(first, other.first) < 0) {
      left.add(new DpidRange(first, other.first - 1));
    }
    if (Long.compareUnsigned(other.last, last) < 0) {
      left.add(new DpidRange(other.last + 1, last));
    }
    return left;
  }

  /** As configuration files have it: hexadecimal, {@code 1f} or {@code 1-1f}. */
  @Override
  public String toString() {
    String text = Long.toHexString(first);
    return first == last ? text : text + "-" + Long.toHexString(last);
  }
}
