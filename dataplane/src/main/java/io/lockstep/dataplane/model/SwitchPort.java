package io.lockstep.dataplane.model;

import io.lockstep.dataplane.packet.Mac;

/**
 * A physical port with its configuration, link state and counters (OpenFlow 1.3.5 sections 7.2.1
 * and 7.3.5.6). Owned by the switch's thread.
 */
public final class SwitchPort {
  private final int number;
  private final String name;
  private final Mac mac;
  private final long createdNanos;
  private Config config = Config.NORMAL;
  private boolean linkUp;
  private long rxPackets;
  private long txPackets;
  private long rxBytes;
  private long txBytes;
  private long rxDropped;
  private long txDropped;

  SwitchPort(int number, String name, Mac mac, boolean linkUp, long nowNanos) {
    this.number = number;
    this.name = name;
    this.mac = mac;
    this.linkUp = linkUp;
    this.createdNanos = nowNanos;
  }

  boolean accepts() {
    return linkUp && !config.down() && !config.noReceive();
  }

  boolean sends() {
    return linkUp && !config.down() && !config.noForward();
  }

  void received(int length) {
    rxPackets++;
    rxBytes += length;
  }

  void sent(int length) {
    txPackets++;
    txBytes += length;
  }

  void droppedIn() {
    rxDropped++;
  }

  void droppedOut() {
    txDropped++;
  }

  void configure(Config other) {
    config = other;
  }

  void setLinkUp(boolean up) {
    linkUp = up;
  }

  public int number() {
    return number;
  }

  public String name() {
    return name;
  }

  public Mac mac() {
    return mac;
  }

  public Config config() {
    return config;
  }

  public boolean linkUp() {
    return linkUp;
  }

  public long rxPackets() {
    return rxPackets;
  }

  public long txPackets() {
    return txPackets;
  }

  public long rxBytes() {
    return rxBytes;
  }

  public long txBytes() {
    return txBytes;
  }

  public long rxDropped() {
    return rxDropped;
  }

  public long txDropped() {
    return txDropped;
  }

  public long durationNanos(long nowNanos) {
    return nowNanos - createdNanos;
  }

  /**
   * What a controller may switch off (ofp_port_config).
   *
   * @param noFlood left out of floods, only in OpenFlow 1.0 (section 5.2.1)
   */
  public record Config(
      boolean down, boolean noReceive, boolean noForward, boolean noPacketIn, boolean noFlood) {
    /** Nothing is switched off. */
    public static final Config NORMAL = new Config(false, false, false, false, false);

    /** One that takes part in floods. */
    public Config(boolean down, boolean noReceive, boolean noForward, boolean noPacketIn) {
      this(down, noReceive, noForward, noPacketIn, false);
    }
  }
}
