package io.lockstep.dataplane.network;

/**
 * One thing that happened to a traced frame.
 *
 * @param nanos network time
 * @param station name of the switch or host
 * @param port number, 0 where there is none
 */
public record Hop(long nanos, String station, Event event, int port) {
  @Override
  public String toString() {
    return station + " " + event + (port == 0 ? "" : " " + Integer.toUnsignedString(port));
  }

  /** What happened. */
  public enum Event {
    HOST_SENT,
    HOST_RECEIVED,
    SWITCH_RECEIVED,
    SWITCH_SENT,
    TO_CONTROLLER,
    DROPPED
  }
}
