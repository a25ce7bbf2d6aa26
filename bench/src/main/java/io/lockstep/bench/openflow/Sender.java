package io.lockstep.bench.openflow;

/** Sends packet-ins of the played switches. Called on the event loop. */
interface Sender {

  /** Whether a controller would hear a packet-in of this switch now. */
  boolean isHeard(int switchIndex);

  /**
   * Sends a packet-in.
   *
   * @param destination a host, or -1 to announce {@code source}
   */
  void packetIn(int switchIndex, int source, int destination);
}
