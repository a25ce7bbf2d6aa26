package io.lockstep.deploy.config;

/** Datapath ids from first to last, both inclusive, as unsigned 64-bit numbers. */
public record SwitchRange(long first, long last) {

  boolean contains(long dpid) {
    return Long.compareUnsigned(first, dpid) <= 0 && Long.compareUnsigned(dpid, last) <= 0;
  }

  /** Whether two ranges have an id in common. */
  boolean overlaps(SwitchRange other) {
    return contains(other.first) || other.contains(first);
  }
}
