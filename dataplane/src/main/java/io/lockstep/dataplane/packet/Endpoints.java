package io.lockstep.dataplane.packet;

/** Who sends an IPv4 frame to whom. */
public record Endpoints(Mac sourceMac, Ipv4 source, Mac targetMac, Ipv4 target) {
  /** The direction of the answer. */
  public Endpoints reversed() {
    return new Endpoints(targetMac, target, sourceMac, source);
  }

  static Endpoints of(Packet packet) {
    return new Endpoints(
        new Mac(packet.get(OxmField.ETH_SRC)),
        new Ipv4((int) packet.get(OxmField.IPV4_SRC)),
        new Mac(packet.get(OxmField.ETH_DST)),
        new Ipv4((int) packet.get(OxmField.IPV4_DST)));
  }
}
