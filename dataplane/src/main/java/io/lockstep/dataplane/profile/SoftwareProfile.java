package io.lockstep.dataplane.profile;

/**
 * How the switch's processor forwards what is in software: one token bucket for all packets.
 *
 * @param packetsPerSecond rate, at most {@code maxPacketsPerSecond}; may be changed in operation
 * @param maxPacketsPerSecond highest rate that can be set
 * @param burstPackets tokens that the bucket holds, 1 or more
 * @param queuePackets packets that wait for a token; more are dropped
 * @param latencyMicros from the token to the port
 * @param cpuMicrosPerPacket time of the processor for each packet
 */
public record SoftwareProfile(
    int packetsPerSecond,
    int maxPacketsPerSecond,
    int burstPackets,
    int queuePackets,
    int latencyMicros,
    double cpuMicrosPerPacket) {
  public SoftwareProfile {
    if (packetsPerSecond < 1 || packetsPerSecond > maxPacketsPerSecond) {
      throw new IllegalArgumentException(
          "rate of 1 to " + maxPacketsPerSecond + " packets a second, not " + packetsPerSecond);
    }
    if (burstPackets < 1 || queuePackets < 0 || latencyMicros < 0 || !(cpuMicrosPerPacket >= 0)) {
      throw new IllegalArgumentException("a burst of 1 or more and nothing below 0 expected");
    }
  }

  /** The same with another rate. */
  public SoftwareProfile withRate(int rate) {
    return new SoftwareProfile(
        rate, maxPacketsPerSecond, burstPackets, queuePackets, latencyMicros, cpuMicrosPerPacket);
  }
}
