package io.lockstep.openflow.channel.translate;

import io.lockstep.core.southbound.TableClaims;
import io.lockstep.placer.space.HeaderField;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFVersion;

/**
 * Reads table-features replies (OpenFlow 1.3.5 section 7.3.5.5) octet by octet: openflowj does not
 * know that properties are padded to 8 octets. What it cannot read does no harm to the connection;
 * a switch that describes its tables badly is one that does not describe them.
 */
public final class TableFeaturesReader {
  private static final int STATS_REPLY = 19;
  private static final int TABLE_FEATURES = 12;
  private static final int MORE = 1;
  private static final int ENTRIES_AT = 16;
  private static final int FIXED_BYTES = 64;
  private static final int NAME_BYTES = 32;
  private static final int PROPERTY_BYTES = 4;

  // ofp_table_feature_prop_type
  private static final int INSTRUCTIONS = 0;
  private static final int NEXT_TABLES = 2;
  private static final int MATCH = 8;
  private static final int WILDCARDS = 10;
  private static final int APPLY_SETFIELD = 14;

  /** The OXM fields that rewriting sets: MAC and IPv4 addresses, and TCP ports. */
  private static final long REWRITTEN = 1 << 3 | 1 << 4 | 1 << 11 | 1 << 12 | 1 << 13 | 1 << 14;

  /** What can set the ports of TCP is taken to set those of UDP. */
  private static final long UDP_PORTS = 1 << 15 | 1 << 16;

  private static final int GOTO_TABLE = 1;
  private static final int OPENFLOW_BASIC = 0x8000;
  private static final int EXPERIMENTER = 0xffff;

  private TableFeaturesReader() {}

  /**
   * The OXM fields that stand behind a field, a bit each: all of them are needed (ports of TCP and
   * of UDP).
   */
  private static long oxm(HeaderField field) {
    return switch (field) {
      case IN_PORT -> 1;
      case ETH_DST -> 1 << 3;
      case ETH_SRC -> 1 << 4;
      case ETH_TYPE -> 1 << 5;
      case VLAN_VID -> 1 << 6;
      case VLAN_PCP -> 1 << 7;
      case IP_DSCP -> 1 << 8;
      case IP_ECN -> 1 << 9;
      case IP_PROTO -> 1 << 10;
      case IPV4_SRC -> 1 << 11;
      case IPV4_DST -> 1 << 12;
      case L4_SRC -> 1 << 13 | 1 << 15;
      case L4_DST -> 1 << 14 | 1 << 16;
      case ICMP_TYPE -> 1 << 19;
      case ICMP_CODE -> 1 << 20;
      case ARP_OP -> 1 << 21;
      case ARP_SPA -> 1 << 22;
      case ARP_TPA -> 1 << 23;
      case IPV6_SRC_HIGH, IPV6_SRC_LOW -> 1 << 26;
      case IPV6_DST_HIGH, IPV6_DST_LOW -> 1 << 27;
      case OPAQUE -> 0;
    };
  }

  /**
   * Reads a frame.
   *
   * @return null where it is something else
   */
  public static @Nullable TableFeaturesPart read(OFVersion version, int type, ByteBuf frame) {
    int end = frame.writerIndex();
    if (version != OFVersion.OF_13
        || type != STATS_REPLY
        || end < ENTRIES_AT
        || frame.getUnsignedShort(8) != TABLE_FEATURES) {
      return null;
    }
    long xid = frame.getUnsignedInt(4);
    boolean more = (frame.getUnsignedShort(10) & MORE) != 0;
    List<TableClaims.Table> tables = new ArrayList<>();
    boolean rewrites = false;
    int at = ENTRIES_AT;
    while (at < end) {
      int length = end - at < FIXED_BYTES ? 0 : frame.getUnsignedShort(at);
      Properties properties =
          length < FIXED_BYTES || length > end - at ? null : properties(frame, at, at + length);
      if (properties == null) {
        return new TableFeaturesPart(
            xid, false, List.of(), true, "its table features are malformed");
      }
      tables.add(claim(frame, at, properties));
      rewrites |= (properties.settable & REWRITTEN) == REWRITTEN;
      at += length;
    }
    return new TableFeaturesPart(xid, more, tables, rewrites, "");
  }

  /** What the properties of a table say, as sets of OXM fields. */
  private static final class Properties {
    long matches;
    long maskable;
    long optional;
    boolean leadsOn = true;

    /** All fields where the table does not say which. */
    long settable = -1;

    final List<Integer> next = new ArrayList<>();
  }

  private static @Nullable Properties properties(ByteBuf frame, int from, int end) {
    Properties properties = new Properties();
    int at = from + FIXED_BYTES;
    while (at < end) {
      int length = end - at < PROPERTY_BYTES ? 0 : frame.getUnsignedShort(at + 2);
      if (length < PROPERTY_BYTES || length > end - at) {
        return null;
      }
      property(properties, frame, at, at + length);
      at += (length + 7) / 8 * 8;
    }
    return properties;
  }

  private static void property(Properties into, ByteBuf frame, int at, int end) {
    int body = at + PROPERTY_BYTES;
    switch (frame.getUnsignedShort(at)) {
      case INSTRUCTIONS -> into.leadsOn = hasGoto(frame, body, end);
      case NEXT_TABLES -> {
        for (int i = body; i < end; i++) {
          into.next.add((int) frame.getUnsignedByte(i));
        }
      }
      case MATCH -> {
        into.matches = fields(frame, body, end, false);
        into.maskable = fields(frame, body, end, true);
      }
      case WILDCARDS -> into.optional = fields(frame, body, end, false);
      case APPLY_SETFIELD -> into.settable = fields(frame, body, end, false);
      default -> {
        // Other actions are found out by using them.
      }
    }
  }

  private static boolean hasGoto(ByteBuf frame, int body, int end) {
    int at = body;
    while (end - at >= 4) {
      if (frame.getUnsignedShort(at) == GOTO_TABLE) {
        return true;
      }
      at += Math.max(4, frame.getUnsignedShort(at + 2));
    }
    return false;
  }

  private static long fields(ByteBuf frame, int body, int end, boolean onlyMasked) {
    long fields = 0;
    int at = body;
    while (end - at >= 4) {
      int oxmClass = frame.getUnsignedShort(at);
      int field = frame.getUnsignedByte(at + 2) >> 1;
      boolean masked = (frame.getUnsignedByte(at + 2) & 1) != 0;
      if (oxmClass == OPENFLOW_BASIC && field < Long.SIZE && (masked || !onlyMasked)) {
        fields |= 1L << field;
      }
      at += oxmClass == EXPERIMENTER ? 8 : 4;
    }
    return fields;
  }

  private static TableClaims.Table claim(ByteBuf frame, int from, Properties properties) {
    int matches = 0;
    int anyMask = 0;
    int optional = 0;
    int rewrites = 0;
    long sayable = 0;
    for (HeaderField field : HeaderField.values()) {
      long bits = oxm(field);
      if (bits != 0 && (properties.matches & bits) == bits) {
        sayable |= bits;
        matches |= field.bit();
        anyMask |= (properties.maskable & bits) == bits ? field.bit() : 0;
      }
      if (bits != 0 && (properties.optional & bits) == bits) {
        optional |= field.bit();
      }
      long settable = bits & ~UDP_PORTS;
      boolean sets = (field.bit() & HeaderField.REWRITABLE) != 0;
      if (sets && (properties.settable & settable) == settable) {
        rewrites |= field.bit();
      }
    }
    if ((properties.matches & ~properties.optional & ~sayable) != 0) {
      matches = 0; // every entry needs a field that no rule can have
      optional = 0;
    }
    byte[] name = new byte[NAME_BYTES];
    frame.getBytes(from + 8, name);
    return new TableClaims.Table(
        frame.getUnsignedByte(from + 2),
        new String(name, StandardCharsets.US_ASCII).replaceAll("(?s)[^\\x20-\\x7e].*", "").trim(),
        frame.getUnsignedInt(from + 60),
        matches,
        anyMask,
        0,
        optional,
        properties.leadsOn ? properties.next : List.of(),
        rewrites);
  }
}
