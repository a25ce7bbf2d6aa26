package io.lockstep.bench.openflow;

import io.lockstep.bench.openflow.Answer.Kind;
import io.lockstep.openflow.codec.MessageDecoder;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFVersion;

/**
 * Reads the two messages that answer a packet-in without building openflowj's objects, so that the
 * generator takes less of the machine than the controller it loads:
 *
 * <ul>
 *   <li>packet-outs that carry their frame (OpenFlow 1.3.5 section 7.3.7),
 *   <li>flow-mods that add an entry with a time-out (section 7.3.4.1) and match exactly one source
 *       and one destination address. One that matches less is an answer to no packet-in, which is
 *       counted and forgotten.
 * </ul>
 *
 * A packet-out with a link probe, or with an ARP request for one host, is read with its frame
 * ({@link Probe}): a played switch may relay the first, and its hosts answer the second. Everything
 * else, buffered packet-outs included, is left to openflowj: it answers no particular packet-in.
 * Without state.
 */
final class AnswerReader implements MessageDecoder.ShortCut {
  static final int TYPE_PACKET_OUT = 13;
  static final int TYPE_FLOW_MOD = 14;

  private static final int PACKET_OUT_ACTIONS_LENGTH = 16;
  private static final int PACKET_OUT_ACTIONS = 24;
  private static final int FLOW_MOD_COMMAND = 25;
  private static final int FLOW_MOD_TIMEOUTS = 26;
  private static final int FLOW_MOD_MATCH = 48;
  private static final int COMMAND_ADD = 0;
  private static final int OXM_ETH_DST = 0x8000_0606;
  private static final int OXM_ETH_SRC = 0x8000_0806;
  private static final int INSTRUCTION_WRITE_ACTIONS = 3;
  private static final int INSTRUCTION_APPLY_ACTIONS = 4;
  private static final int ACTION_OUTPUT = 0;
  private static final int MAC_BYTES = 6;
  private static final int ETHERNET_HEADER_BYTES = 14;
  private static final long NONE = -1;

  @Override
  public @Nullable Object decode(OFVersion version, int type, ByteBuf frame) {
    if (version != OFVersion.OF_13) {
      return null;
    }
    return switch (type) {
      case TYPE_PACKET_OUT -> packetOut(frame);
      case TYPE_FLOW_MOD -> flowMod(frame);
      default -> null;
    };
  }

  private static @Nullable Object packetOut(ByteBuf frame) {
    int actionsLength = frame.getUnsignedShort(PACKET_OUT_ACTIONS_LENGTH);
    int data = PACKET_OUT_ACTIONS + actionsLength;
    if (data + ETHERNET_HEADER_BYTES > frame.writerIndex()) {
      return null;
    }
    Outputs outputs = new Outputs();
    if (!outputs.read(frame, PACKET_OUT_ACTIONS, data)) {
      return null;
    }
    Answer answer =
        new Answer(
            Kind.PACKET_OUT,
            mac(frame, data + MAC_BYTES),
            mac(frame, data),
            outputs.port,
            outputs.count);
    int type = frame.getUnsignedShort(data + 2 * MAC_BYTES);
    boolean group = (answer.destination() >>> 40 & 1) != 0;
    if (type != Probe.ETHER_TYPE_LLDP && (group || type != Probe.ETHER_TYPE_ARP)) {
      return answer;
    }
    byte[] probe = new byte[frame.writerIndex() - data];
    frame.getBytes(data, probe);
    return new Probe(answer, probe);
  }

  private static @Nullable Answer flowMod(ByteBuf frame) {
    if (frame.getUnsignedByte(FLOW_MOD_COMMAND) != COMMAND_ADD
        || frame.getInt(FLOW_MOD_TIMEOUTS) == 0) {
      return null;
    }
    int matchLength = frame.getUnsignedShort(FLOW_MOD_MATCH + 2);
    int end = FLOW_MOD_MATCH + matchLength;
    long source = NONE;
    long destination = NONE;
    for (int at = FLOW_MOD_MATCH + 4; at + 4 <= end; at += 4 + frame.getUnsignedByte(at + 3)) {
      int header = frame.getInt(at);
      if (header == OXM_ETH_SRC) {
        source = mac(frame, at + 4);
      } else if (header == OXM_ETH_DST) {
        destination = mac(frame, at + 4);
      }
    }
    Outputs outputs = new Outputs();
    if (!instructions(frame, FLOW_MOD_MATCH + (matchLength + 7) / 8 * 8, outputs)) {
      return null;
    }
    return new Answer(Kind.FLOW_MOD, source, destination, outputs.port, outputs.count);
  }

  private static boolean instructions(ByteBuf frame, int from, Outputs outputs) {
    int end = frame.writerIndex();
    int at = from;
    while (at + 8 <= end) {
      int type = frame.getUnsignedShort(at);
      int length = frame.getUnsignedShort(at + 2);
      if (length < 8 || at + length > end) {
        return false;
      }
      boolean actions = type == INSTRUCTION_APPLY_ACTIONS || type == INSTRUCTION_WRITE_ACTIONS;
      if (actions && !outputs.read(frame, at + 8, at + length)) {
        return false;
      }
      at += length;
    }
    return at == end;
  }

  private static long mac(ByteBuf frame, int at) {
    return ((long) frame.getUnsignedShort(at) << 32) | frame.getUnsignedInt(at + 2);
  }

  /** The output actions of a list. */
  private static final class Outputs {
    private int count;
    private long port;

    /** False where the list is not well formed: openflowj shall say what is wrong with it. */
    boolean read(ByteBuf frame, int from, int end) {
      int at = from;
      while (at + 8 <= end) {
        int length = frame.getUnsignedShort(at + 2);
        if (length < 8 || at + length > end) {
          return false;
        }
        if (frame.getUnsignedShort(at) == ACTION_OUTPUT) {
          count++;
          port = frame.getUnsignedInt(at + 4);
        }
        at += length;
      }
      return at == end;
    }
  }
}
