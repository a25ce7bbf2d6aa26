package io.lockstep.core.link;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Writes and reads the probes: LLDP frames (IEEE 802.1AB-2009 section 8) with the mandatory TLVs
 * and two organisational ones of ours, the statement and its HMAC-SHA256. The HMAC covers all bytes
 * before it, so no other TLV can be changed either.
 *
 * <p>A probe is valid for a window around the receiver's clock, so the nodes' clocks may differ by
 * less than the window. The HMAC proves who made the probe and when, not that nobody carried it to
 * another port meanwhile (docs/adr/0004).
 *
 * <p>Immutable and thread-safe.
 */
public final class LldpCodec {

  /** EtherType of LLDP. */
  public static final int ETHER_TYPE = 0x88cc;

  private static final byte[] DESTINATION = {0x01, (byte) 0x80, (byte) 0xc2, 0, 0, 0x0e};
  private static final byte[] ORGANISATION = {0x4e, 0x4c, 0x53};
  private static final String ALGORITHM = "HmacSHA256";
  private static final int HMAC_BYTES = 32;
  private static final int HEADER_BYTES = 14;
  private static final int TLV_END = 0;
  private static final int TLV_CHASSIS = 1;
  private static final int TLV_PORT = 2;
  private static final int TLV_TTL = 3;
  private static final int TLV_ORGANISATION = 127;
  private static final int SUBTYPE_LOCAL = 7;
  private static final int SUBTYPE_STATEMENT = 1;
  private static final int SUBTYPE_HMAC = 2;
  private static final int STATEMENT_BYTES = 1 + 8 + 8 + 8 + 8;
  private static final int FORMAT = 1;
  private static final int TTL_SECONDS = 120;
  private static final int MAX_TLVS = 64;

  private final DiscoveryKey key;
  private final long windowMillis;

  /**
   * A codec.
   *
   * @param windowMillis how far a probe's time may be from the receiver's clock, either way
   */
  public LldpCodec(DiscoveryKey key, long windowMillis) {
    this.key = key;
    this.windowMillis = windowMillis;
  }

  /** What a received frame turned out to be. */
  public sealed interface Verdict {
    /** The kinds of verdicts, for a switch expression: it does not compile without each. */
    enum Kind {
      GENUINE,
      FOREIGN,
      FORGED,
      STALE,
      MALFORMED
    }

    /** The kind of this verdict. */
    Kind kind();

    /** A fresh probe of this cluster, sent out of {@code src}. */
    record Genuine(SwitchPort src) implements Verdict {
      @Override
      public Kind kind() {
        return Kind.GENUINE;
      }
    }

    /** LLDP of somebody else: a host, another cluster. */
    record Foreign() implements Verdict {
      @Override
      public Kind kind() {
        return Kind.FOREIGN;
      }
    }

    /** Says it is ours, and the HMAC is wrong. */
    record Forged() implements Verdict {
      @Override
      public Kind kind() {
        return Kind.FORGED;
      }
    }

    /** Signed by us, outside the window by {@code skewMillis}. */
    record Stale(long skewMillis) implements Verdict {
      @Override
      public Kind kind() {
        return Kind.STALE;
      }
    }

    /** Not well-formed LLDP. */
    record Malformed() implements Verdict {
      @Override
      public Kind kind() {
        return Kind.MALFORMED;
      }
    }
  }

  /** A probe to be sent out of {@code src}. */
  public byte[] encode(SwitchPort src, long timeMillis) {
    byte[] chassis = src.deviceId().toString().getBytes(StandardCharsets.US_ASCII);
    byte[] port = Long.toString(src.port()).getBytes(StandardCharsets.US_ASCII);
    int size =
        HEADER_BYTES
            + (2 + 1 + chassis.length)
            + (2 + 1 + port.length)
            + (2 + 2)
            + (2 + 4 + STATEMENT_BYTES)
            + (2 + 4 + HMAC_BYTES)
            + 2;
    ByteBuffer out = ByteBuffer.allocate(size);
    out.put(DESTINATION).put(sourceMac(src)).putShort((short) ETHER_TYPE);
    tlv(out, TLV_CHASSIS, 1 + chassis.length).put((byte) SUBTYPE_LOCAL).put(chassis);
    tlv(out, TLV_PORT, 1 + port.length).put((byte) SUBTYPE_LOCAL).put(port);
    tlv(out, TLV_TTL, 2).putShort((short) TTL_SECONDS);
    tlv(out, TLV_ORGANISATION, 4 + STATEMENT_BYTES)
        .put(ORGANISATION)
        .put((byte) SUBTYPE_STATEMENT)
        .put((byte) FORMAT)
        .putLong(key.clusterId())
        .putLong(src.dpid())
        .putLong(src.port())
        .putLong(timeMillis);
    byte[] hmac = hmac(out.array(), out.position());
    tlv(out, TLV_ORGANISATION, 4 + HMAC_BYTES).put(ORGANISATION).put((byte) SUBTYPE_HMAC).put(hmac);
    tlv(out, TLV_END, 0);
    return out.array();
  }

  /** Locally administered, unicast, different per switch as far as five bytes go. */
  private static byte[] sourceMac(SwitchPort src) {
    byte[] dpid = ByteBuffer.allocate(8).putLong(src.dpid()).array();
    return new byte[] {0x02, dpid[3], dpid[4], dpid[5], dpid[6], dpid[7]};
  }

  private static ByteBuffer tlv(ByteBuffer out, int type, int length) {
    return out.putShort((short) (type << 9 | length));
  }

  /** Judges a frame whose EtherType is {@link #ETHER_TYPE}. Reads at most 64 TLVs. */
  public Verdict decode(byte[] frame, long nowMillis) {
    try {
      return judge(frame, nowMillis);
    } catch (BufferUnderflowException truncated) {
      return new Verdict.Malformed();
    }
  }

  private Verdict judge(byte[] frame, long nowMillis) {
    if (frame.length < HEADER_BYTES) {
      return new Verdict.Malformed();
    }
    ByteBuffer in = ByteBuffer.wrap(frame).position(HEADER_BYTES);
    Statement statement = null;
    for (int i = 0; i < MAX_TLVS; i++) {
      int start = in.position();
      int header = in.getShort() & 0xffff;
      int type = header >>> 9;
      int length = header & 0x1ff;
      int end = in.position() + length;
      if (end > frame.length) {
        return new Verdict.Malformed();
      }
      if (type == TLV_END) {
        return new Verdict.Foreign();
      }
      if (type == TLV_ORGANISATION && length >= 4 && isOurs(frame, in.position())) {
        int subtype = frame[in.position() + 3];
        in.position(in.position() + 4);
        if (subtype == SUBTYPE_STATEMENT) {
          if (length != 4 + STATEMENT_BYTES || in.get() != FORMAT) {
            return new Verdict.Foreign();
          }
          statement =
              new Statement(in.getLong(), new SwitchPort(in.getLong(), in.getLong()), in.getLong());
        } else if (subtype == SUBTYPE_HMAC && statement != null) {
          byte[] claimed = Arrays.copyOfRange(frame, in.position(), end);
          return verdict(statement, claimed, hmac(frame, start), nowMillis);
        }
      }
      in.position(end);
    }
    return new Verdict.Malformed();
  }

  private static boolean isOurs(byte[] frame, int at) {
    return Arrays.equals(frame, at, at + 3, ORGANISATION, 0, 3);
  }

  private Verdict verdict(Statement statement, byte[] claimed, byte[] proper, long nowMillis) {
    if (statement.clusterId != key.clusterId()) {
      return new Verdict.Foreign();
    }
    if (!MessageDigest.isEqual(claimed, proper)) {
      return new Verdict.Forged();
    }
    long skewMillis = nowMillis - statement.timeMillis;
    if (Math.abs(skewMillis) > windowMillis) {
      return new Verdict.Stale(skewMillis);
    }
    return new Verdict.Genuine(statement.src);
  }

  private byte[] hmac(byte[] frame, int length) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key.secret(), ALGORITHM));
      mac.update(frame, 0, length);
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM lacks " + ALGORITHM, e);
    }
  }

  private record Statement(long clusterId, SwitchPort src, long timeMillis) {}
}
