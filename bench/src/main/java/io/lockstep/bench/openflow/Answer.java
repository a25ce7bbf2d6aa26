package io.lockstep.bench.openflow;

/**
 * What a controller sent that may answer a packet-in.
 *
 * @param kind the message it came in
 * @param source MAC address, low 48 bits: of the packet-out's frame or the flow-mod's match
 * @param destination likewise
 * @param outPort the port of the last output action; reserved ports as in OpenFlow 1.3.5 section
 *     A.2.1, unsigned
 * @param outputs number of output actions
 */
record Answer(Kind kind, long source, long destination, long outPort, int outputs) {
  /** OFPP_TABLE: the packet goes through the flow tables. */
  static final long PORT_TABLE = 0xffff_fff9L;

  /** The kinds of message that count. */
  enum Kind {
    PACKET_OUT,
    FLOW_MOD
  }

  /** Whether the packet leaves at {@code port} alone, or where the flow table says. */
  boolean leadsTo(int port) {
    return outputs == 1 && (outPort == port || outPort == PORT_TABLE);
  }
}
