package io.lockstep.dataplane.flowtable;

import io.lockstep.dataplane.packet.OxmField;

/** The actions the model carries out (OpenFlow 1.3.5 section 5.12). */
public sealed interface Action {
  /**
   * Sends the packet as it is now.
   *
   * @param port a physical port or one of {@link PortNumbers}
   * @param maxLength octets a packet-in may carry; {@link #NO_BUFFER} asks for all of it
   */
  record Output(int port, int maxLength) implements Action {
    /** OFPCML_NO_BUFFER: whole packet, no buffer. */
    public static final int NO_BUFFER = 0xffff;

    /** To a port, with the whole packet if that port is the controller. */
    public static Output to(int port) {
      return new Output(port, NO_BUFFER);
    }
  }

  /**
   * Overwrites a header field.
   *
   * @param value the value; the high half for an IPv6 address
   * @param low the low half of an IPv6 address, else 0
   */
  record SetField(OxmField field, long value, long low) implements Action {
    /** For the fields of up to 64 bits. */
    public static SetField of(OxmField field, long value) {
      return new SetField(field, value, 0);
    }
  }

  /** Adds an outermost VLAN tag. */
  record PushVlan(int etherType) implements Action {}

  /** Removes the outermost VLAN tag. */
  record PopVlan() implements Action {}

  /**
   * Adds a VLAN tag of id and priority 0 where the packet has none: the first half of setting a
   * VLAN in OpenFlow 1.0 (section 3.3, table 5).
   */
  record EnsureVlan() implements Action {}

  /** Removes the outermost VLAN tag where there is one (OpenFlow 1.0 section 3.3, table 5). */
  record StripVlan() implements Action {}

  /** Sends the packet through a group, see {@link GroupTable}. */
  record Group(int id) implements Action {}

  /** Replaces IPv4 time to live or IPv6 hop limit. */
  record SetTtl(int ttl) implements Action {}

  /** Decrements IPv4 time to live or IPv6 hop limit; a packet that would reach zero is dropped. */
  record DecTtl() implements Action {}
}
