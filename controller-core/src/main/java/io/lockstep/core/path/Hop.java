package io.lockstep.core.path;

/**
 * One switch on a path.
 *
 * @param dpid the switch
 * @param outPort the port by which the flow leaves it, a physical one: 1 to {@link #MAX_PORT}
 */
public record Hop(long dpid, long outPort) {
  /** OFPP_MAX of OpenFlow 1.3.5 (section 7.2.1). */
  public static final long MAX_PORT = 0xffff_ff00L;

  public Hop {
    if (outPort < 1 || outPort > MAX_PORT) {
      throw new IllegalArgumentException(
          "port " + outPort + " is not within 1 to " + MAX_PORT + ": name a physical port");
    }
  }
}
