package io.lockstep.core.southbound;

import org.onosproject.net.PortNumber;

/**
 * A packet that a switch handed up (OpenFlow 1.3.5 section 7.4.1).
 *
 * @param bufferId the switch's buffer, or {@link #NO_BUFFER}
 * @param data the frame's bytes, whole or its beginning; owned by the receiver, never changed
 * @param totalLength length of the whole frame in bytes
 */
public record PacketIn(
    long bufferId,
    int tableId,
    PortNumber inPort,
    Reason reason,
    long cookie,
    byte[] data,
    int totalLength) {

  /** No buffer: {@code data} is the whole frame. */
  public static final long NO_BUFFER = 0xffff_ffffL;

  /** The same packet where the switch's buffer of it is not to be used. */
  public PacketIn withoutBuffer() {
    return new PacketIn(NO_BUFFER, tableId, inPort, reason, cookie, data, totalLength);
  }

  /** Why it came. */
  public enum Reason {
    NO_MATCH,
    ACTION,
    INVALID_TTL
  }
}
