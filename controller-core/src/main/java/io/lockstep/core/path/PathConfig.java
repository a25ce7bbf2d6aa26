package io.lockstep.core.path;

/**
 * What an operator says of paths.
 *
 * @param flightMillis the longest time that a packet needs through the network, queues included,
 *     and that a switch needs to follow its own tables; 0 to {@link #MAX_FLIGHT_MILLIS}
 * @param firstTag the first VLAN that the operator keeps free for tags
 * @param lastTag the last one, included
 */
public record PathConfig(long flightMillis, int firstTag, int lastTag) {
  /** A minute. */
  public static final long MAX_FLIGHT_MILLIS = 60_000;

  /** The highest VLAN (IEEE 802.1Q). */
  public static final int MAX_TAG = 4_094;

  /** A second, and the VLANs 3584 to 4094. */
  public static final PathConfig USUAL = new PathConfig(1_000, 3_584, MAX_TAG);

  public PathConfig {
    if (flightMillis < 0 || flightMillis > MAX_FLIGHT_MILLIS) {
      throw new IllegalArgumentException(
          "a time in flight of " + flightMillis + " ms is not within 0 to " + MAX_FLIGHT_MILLIS);
    }
    if (firstTag < 1 || firstTag > lastTag || lastTag > MAX_TAG) {
      throw new IllegalArgumentException(
          "tags " + firstTag + " to " + lastTag + " are no range within 1 to " + MAX_TAG);
    }
  }

  /** Whether a VLAN is in the range of tags. */
  boolean isTag(int vlan) {
    return vlan >= firstTag && vlan <= lastTag;
  }
}
