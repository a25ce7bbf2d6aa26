package io.lockstep.core.packet;

/**
 * Divides the decisions of one switch that may wait for the store between its ports and kinds of
 * packets. A port may have {@link #PARTS} times as many places as are free, packets to groups as
 * many as are free. So whoever takes more than others leaves places for those who take few: one
 * port has three quarters of all at most, ten ports have 30 of 31 parts together, and groups have
 * half. Owned by the switch's event loop.
 */
final class WaitingPlaces {
  private static final int PARTS = 3;

  private final int most;
  private int taken;
  private int takenByGroups;

  /**
   * Places of which none is taken.
   *
   * @param most at least 1
   */
  WaitingPlaces(int most) {
    this.most = most;
  }

  /** Whether a decision on one more packet may wait. */
  boolean hasRoom(PortShare port, boolean group) {
    int free = most - taken;
    return port.waiting < PARTS * free && (!group || takenByGroups < free);
  }

  /** A decision waits. */
  void take(PortShare port, boolean group) {
    taken++;
    port.waiting++;
    takenByGroups += group ? 1 : 0;
  }

  /** It does not wait any more. */
  void leave(PortShare port, boolean group) {
    taken--;
    port.waiting--;
    takenByGroups -= group ? 1 : 0;
  }

  /** How many decisions wait. */
  int taken() {
    return taken;
  }
}
