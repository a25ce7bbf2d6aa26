package io.lockstep.openflow.codec;

import io.netty.buffer.ByteBuf;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFVersion;

/**
 * HELLO of any version (OpenFlow 1.3.5 section 7.5.1). openflowj reads only the HELLO of versions
 * it knows and refuses elements it does not know; the specification wants both ignored, so this
 * codec reads and writes HELLO itself.
 *
 * @param wireVersion highest version the sender speaks
 * @param xid unsigned 32-bit transaction id
 * @param versionBitmap bit n set for wire version n; 0 where the sender gave no bitmap
 */
public record Hello(int wireVersion, long xid, int versionBitmap) {
  static final int TYPE = 0;
  private static final int HEADER_BYTES = 8;
  private static final int ELEMENT_HEADER_BYTES = 4;
  private static final int ELEMENT_VERSION_BITMAP = 1;

  /** A HELLO that offers these versions, with a bitmap. */
  public static Hello offering(long xid, Set<OFVersion> versions) {
    int highest = 0;
    int bitmap = 0;
    for (OFVersion version : versions) {
      highest = Math.max(highest, version.getWireVersion());
      bitmap |= 1 << version.getWireVersion();
    }
    return new Hello(highest, xid, bitmap);
  }

  /**
   * The version both ends speak, or null (OpenFlow 1.3.5 section 6.3.1): with a bitmap from the
   * peer the highest common one, without it the smaller of the two highest, where we speak that.
   */
  public @Nullable OFVersion negotiate(Set<OFVersion> ours) {
    int highestOfOurs = ours.stream().mapToInt(OFVersion::getWireVersion).max().orElse(0);
    OFVersion best = null;
    for (OFVersion version : ours) {
      int wire = version.getWireVersion();
      boolean common =
          versionBitmap != 0
              ? (versionBitmap & (1 << wire)) != 0
              : wire == Math.min(wireVersion, highestOfOurs);
      if (common && (best == null || best.getWireVersion() < wire)) {
        best = version;
      }
    }
    return best;
  }

  /** The versions offered, for people. */
  public String offered() {
    if (versionBitmap == 0) {
      return "up to " + OpenFlowVersions.name(wireVersion);
    }
    StringBuilder names = new StringBuilder();
    for (int wire = 0; wire < Integer.SIZE; wire++) {
      if ((versionBitmap & (1 << wire)) != 0) {
        names.append(names.isEmpty() ? "" : ", ").append(OpenFlowVersions.name(wire));
      }
    }
    return names.toString();
  }

  /** Appends the message to a buffer. */
  void writeTo(ByteBuf out) {
    boolean withBitmap = versionBitmap != 0;
    out.writeByte(wireVersion);
    out.writeByte(TYPE);
    out.writeShort(withBitmap ? HEADER_BYTES + ELEMENT_HEADER_BYTES + 4 : HEADER_BYTES);
    out.writeInt((int) xid);
    if (withBitmap) {
      out.writeShort(ELEMENT_VERSION_BITMAP);
      out.writeShort(ELEMENT_HEADER_BYTES + 4);
      out.writeInt(versionBitmap);
    }
  }

  /**
   * Reads the message that fills {@code frame} from its index 0. Elements of unknown type are
   * skipped; what follows the header in versions before 1.3 is ignored, as those ask.
   */
  static Hello readFrom(ByteBuf frame) {
    int version = frame.getUnsignedByte(0);
    long xid = frame.getUnsignedInt(4);
    int bitmap = 0;
    int end = frame.writerIndex();
    int at = HEADER_BYTES;
    while (version >= OFVersion.OF_13.getWireVersion() && end - at >= ELEMENT_HEADER_BYTES) {
      int type = frame.getUnsignedShort(at);
      int length = frame.getUnsignedShort(at + 2);
      if (length < ELEMENT_HEADER_BYTES || length > end - at) {
        throw new MalformedMessageException(
            at,
            "HELLO element of " + length + " bytes where " + (end - at) + " are left",
            frame,
            0);
      }
      if (type == ELEMENT_VERSION_BITMAP && length >= ELEMENT_HEADER_BYTES + 4) {
        bitmap = frame.getInt(at + ELEMENT_HEADER_BYTES);
      }
      at += (length + 7) / 8 * 8;
    }
    return new Hello(version, xid, bitmap);
  }
}
