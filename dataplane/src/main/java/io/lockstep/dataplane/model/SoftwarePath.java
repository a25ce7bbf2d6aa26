package io.lockstep.dataplane.model;

import io.lockstep.dataplane.profile.SoftwareProfile;
import java.util.concurrent.TimeUnit;

/**
 * The switch's processor as a forwarder: a token bucket that all packets share, a bounded queue
 * before it, and a latency behind it. Says when a packet leaves; holds no packet. Owned by the
 * switch's thread.
 */
public final class SoftwarePath {
  /** The packet was dropped. */
  public static final long DROPPED = Long.MIN_VALUE;

  private SoftwareProfile profile;
  private long intervalNanos;

  /** When the bucket is full again if no further packet comes. */
  private long fullAtNanos = Long.MIN_VALUE / 2;

  private long packets;
  private long drops;

  public SoftwarePath(SoftwareProfile profile) {
    this.profile = profile;
    this.intervalNanos = intervalOf(profile);
  }

  private static long intervalOf(SoftwareProfile profile) {
    return TimeUnit.SECONDS.toNanos(1) / profile.packetsPerSecond();
  }

  /**
   * Sets the rate, from the next packet on.
   *
   * @throws IllegalArgumentException for a rate that the switch does not have
   */
  public void setRate(int packetsPerSecond) {
    profile = profile.withRate(packetsPerSecond);
    intervalNanos = intervalOf(profile);
  }

  /**
   * A packet arrives.
   *
   * @param nowNanos must not go back
   * @return when it leaves, or {@link #DROPPED}
   */
  public long admit(long nowNanos) {
    // A token comes each interval; the last of a full bucket's is free at once.
    long tokenNanos = fullAtNanos - (profile.burstPackets() - 1) * intervalNanos;
    long startNanos = Math.max(nowNanos, tokenNanos);
    if (startNanos - nowNanos > profile.queuePackets() * intervalNanos) {
      drops++;
      return DROPPED;
    }
    packets++;
    fullAtNanos = Math.max(fullAtNanos, nowNanos) + intervalNanos;
    return startNanos + TimeUnit.MICROSECONDS.toNanos(profile.latencyMicros());
  }

  /** Packets forwarded since the switch started. */
  public long packets() {
    return packets;
  }

  /** Packets dropped since the switch started. */
  public long drops() {
    return drops;
  }

  /** The rate as set now. */
  public int packetsPerSecond() {
    return profile.packetsPerSecond();
  }

  /** Time that the processor has spent on packets, in microseconds. */
  public double cpuMicros() {
    return packets * profile.cpuMicrosPerPacket();
  }
}
