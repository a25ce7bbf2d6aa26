package io.lockstep.openflow.channel.translate;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketOut;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFVersion;

/**
 * What the versions of OpenFlow say differently, for one connection. Without state but for its
 * message factory; xids are unsigned 32-bit.
 */
public interface Dialect {

  /** The dialect of a message factory. */
  static Dialect of(OFFactory factory) {
    return factory.getVersion() == OFVersion.OF_10
        ? new Dialect10(factory)
        : new Dialect13(factory);
  }

  /** The messages that all versions have alike. */
  OFFactory factory();

  /** Whether a switch of this version knows masters and slaves. */
  boolean hasRoles();

  /** Whether this version has groups. */
  default boolean hasGroups() {
    return hasRoles();
  }

  /**
   * Whether a delete that is not strict can be restricted by a cookie; where it cannot, {@link
   * #flowMod} refuses it.
   */
  boolean deletesByCookie();

  /**
   * A flow-mod.
   *
   * @throws UntranslatableException naming what this version or the node's vocabulary lacks
   */
  OFFlowMod flowMod(FlowMod mod, long xid) throws UntranslatableException;

  /**
   * Appends a flow-mod to a buffer, where it is one of the plain ones of new flows.
   *
   * @return false, and nothing is appended, where it is to be made by {@link #flowMod}
   */
  boolean writes(FlowMod mod, long xid, ByteBuf out);

  /** Asks for all flow entries of all tables. */
  OFMessage flowStatsRequest(long xid);

  /**
   * Asks for the flow entries that a delete selects; its cookie counts where {@link
   * #deletesByCookie}.
   *
   * @throws UntranslatableException as {@link #flowMod}
   */
  OFMessage flowStatsRequest(FlowMod delete, long xid) throws UntranslatableException;

  /**
   * One flow entry.
   *
   * @throws UntranslatableException for what the node's vocabulary cannot say
   */
  FlowStats flowStats(OFFlowStatsEntry entry) throws UntranslatableException;

  /**
   * A flow-removed message.
   *
   * @throws UntranslatableException for what the node's vocabulary cannot say
   */
  FlowRemoved flowRemoved(OFFlowRemoved message) throws UntranslatableException;

  /**
   * Whether a packet-out can be said.
   *
   * @throws IllegalArgumentException where it exceeds the 65 535 bytes of a message
   */
  boolean sayable(PacketOut packetOut);

  /**
   * A packet-out in a new buffer, which the caller owns.
   *
   * @param packetOut that is {@link #sayable}
   * @throws IllegalArgumentException for one that is not
   */
  ByteBuf packetOut(PacketOut packetOut, int xid, ByteBufAllocator allocator);
}
