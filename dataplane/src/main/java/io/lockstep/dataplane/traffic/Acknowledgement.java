package io.lockstep.dataplane.traffic;

import java.util.BitSet;

/** What a TCP receiver tells with an acknowledgement: all up to a number, and which beyond it. */
record Acknowledgement(long upTo, BitSet beyond) {
  static final BitSet NONE = new BitSet();

  /** Whether a segment has arrived. */
  boolean has(long segment) {
    return segment < upTo || beyond.get((int) (segment - upTo));
  }
}
