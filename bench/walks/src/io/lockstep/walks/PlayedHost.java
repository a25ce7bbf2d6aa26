package io.lockstep.walks;

import org.onlab.packet.ARP;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.MacAddress;
import org.onlab.packet.UDP;

/** A host by number, below 2^24, and the frames that it sends. */
record PlayedHost(int number) {
  private static final int PORT = 9;

  MacAddress mac() {
    return MacAddress.valueOf(0x02_00_00_00_00_00L + number);
  }

  private int ip() {
    return (10 << 24) + number;
  }

  private byte[] ipBytes() {
    return new byte[] {10, (byte) (number >> 16), (byte) (number >> 8), (byte) number};
  }

  /** An ARP request for its own address, to all. */
  byte[] announcement() {
    byte[] mac = mac().toBytes();
    return ARP.buildArpRequest(mac, ipBytes(), ipBytes(), Ethernet.VLAN_UNTAGGED).serialize();
  }

  /** A UDP packet. */
  byte[] packetTo(PlayedHost destination) {
    UDP udp = new UDP();
    udp.setSourcePort(PORT).setDestinationPort(PORT);
    IPv4 ip = new IPv4();
    ip.setTtl((byte) 64)
        .setProtocol(IPv4.PROTOCOL_UDP)
        .setSourceAddress(ip())
        .setDestinationAddress(destination.ip())
        .setPayload(udp);
    Ethernet frame = new Ethernet();
    frame
        .setEtherType(Ethernet.TYPE_IPV4)
        .setSourceMACAddress(mac())
        .setDestinationMACAddress(destination.mac())
        .setPad(true)
        .setPayload(ip);
    return frame.serialize();
  }
}
