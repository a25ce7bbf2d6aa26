package io.lockstep.core.southbound;

/**
 * The kinds of packets that have shares of their own, as far as the first bytes tell them apart.
 */
public enum PacketKind {
  /** LLDP: probes of links. */
  LINK_PROBE,
  /** To a group of stations, mostly a broadcast: it costs every switch of the network a packet. */
  GROUP,
  /** Everything else. */
  UNICAST
}
