package io.lockstep.openflow.codec;

/**
 * A well-framed message with content that openflowj does not know: a foreign experimenter, an OXM
 * field of a vendor, a code of a later version. It does no harm to the stream; the receiver decides
 * whether it matters.
 *
 * @param type message type, 0 to 255
 * @param xid unsigned 32-bit transaction id
 * @param length of the message in bytes
 * @param reason what is not known, for people
 * @param offset in the message, in bytes, where the decoder met that or just behind it
 * @param head the first bytes of the message, at most {@link #HEAD_BYTES}, header included
 */
public record UnsupportedMessage(
    int wireVersion, int type, long xid, int length, String reason, int offset, byte[] head) {
  /** How much of the message is kept. */
  public static final int HEAD_BYTES = 64;
}
