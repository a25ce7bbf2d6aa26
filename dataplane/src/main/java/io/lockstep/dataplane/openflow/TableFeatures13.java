package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.flowtable.FlowTable;
import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.packet.OxmField;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.projectfloodlight.openflow.protocol.OFVersion;

/**
 * One table's entry of a table-features reply, written octet by octet (OpenFlow 1.3.5 section
 * 7.3.5.5.2): openflowj does not pad properties to 8 octets as the specification wants.
 */
final class TableFeatures13 {
  private static final int STATS_REPLY = 19;
  private static final int TABLE_FEATURES = 12;
  private static final int REPLY_MORE = 1;
  private static final int NAME_BYTES = 32;

  // ofp_table_feature_prop_type
  private static final int INSTRUCTIONS = 0;
  private static final int NEXT_TABLES = 2;
  private static final int WRITE_ACTIONS = 4;
  private static final int APPLY_ACTIONS = 6;
  private static final int MATCH = 8;
  private static final int WILDCARDS = 10;
  private static final int WRITE_SETFIELD = 12;
  private static final int APPLY_SETFIELD = 14;

  /** goto-table, write-metadata, write-actions, apply-actions, clear-actions. */
  private static final int[] INSTRUCTION_TYPES = {1, 2, 3, 4, 5};

  private static final int PUSH_VLAN = 17;
  private static final int SET_FIELD = 25;

  /** output, push-VLAN, pop-VLAN, set-nw-ttl, dec-nw-ttl, set-field. */
  private static final int[] ACTION_TYPES = {0, PUSH_VLAN, 18, 23, 24, SET_FIELD};

  private TableFeatures13() {}

  /** A whole message with one table's features. */
  static ByteBuf reply(long xid, FlowTable table, SwitchModel model, boolean more) {
    ByteBuf out = Unpooled.buffer(1024);
    out.writeByte(OFVersion.OF_13.getWireVersion());
    out.writeByte(STATS_REPLY);
    out.writeShort(0);
    out.writeInt((int) xid);
    out.writeShort(TABLE_FEATURES);
    out.writeShort(more ? REPLY_MORE : 0);
    out.writeInt(0);
    int start = out.writerIndex();
    writeFixed(out, table);
    writeProperties(out, table, nextTables(table, model));
    out.setShort(start, out.writerIndex() - start);
    out.setShort(2, out.writerIndex());
    return out;
  }

  private static void writeFixed(ByteBuf out, FlowTable table) {
    out.writeShort(0); // length, set at the end
    out.writeByte(table.id());
    out.writeZero(5);
    byte[] name = table.profile().name().getBytes(StandardCharsets.US_ASCII);
    out.writeBytes(name).writeZero(NAME_BYTES - name.length);
    out.writeLong(-1L); // metadata bits that can be matched
    out.writeLong(-1L); // metadata bits that can be written
    out.writeInt(0); // config
    out.writeInt(table.maxEntries());
  }

  private static void writeProperties(ByteBuf out, FlowTable table, int[] next) {
    property(out, INSTRUCTIONS, body -> writeTypes(body, instructions(next)));
    property(
        out,
        NEXT_TABLES,
        body -> {
          for (int id : next) {
            body.writeByte(id);
          }
        });
    property(out, WRITE_ACTIONS, body -> writeTypes(body, actions(table)));
    property(out, APPLY_ACTIONS, body -> writeTypes(body, actions(table)));
    property(out, MATCH, body -> writeFields(body, table::supports, true));
    property(
        out,
        WILDCARDS,
        body -> writeFields(body, each -> table.supports(each) && !table.requires(each), false));
    property(out, WRITE_SETFIELD, body -> writeFields(body, each -> sets(table, each), false));
    property(out, APPLY_SETFIELD, body -> writeFields(body, each -> sets(table, each), false));
  }

  /** The tables that come later. */
  private static int[] nextTables(FlowTable table, SwitchModel model) {
    return model.pipeline().tables().stream()
        .mapToInt(FlowTable::id)
        .filter(id -> id > table.id())
        .toArray();
  }

  /** The last table has no table to go to. */
  private static int[] instructions(int[] next) {
    return next.length == 0 ? new int[] {2, 3, 4, 5} : INSTRUCTION_TYPES;
  }

  private static int[] actions(FlowTable table) {
    boolean any = Stream.of(OxmField.values()).anyMatch(each -> sets(table, each));
    return IntStream.of(ACTION_TYPES)
        .filter(type -> type != SET_FIELD || any)
        .filter(type -> type != PUSH_VLAN || table.rewrites(OxmField.VLAN_VID))
        .toArray();
  }

  private static boolean sets(FlowTable table, OxmField field) {
    return switch (field) {
      case IN_PORT, METADATA, ETH_TYPE, IP_PROTO -> false;
      default -> table.rewrites(field);
    };
  }

  private static void property(ByteBuf out, int type, Consumer<ByteBuf> body) {
    int start = out.writerIndex();
    out.writeShort(type);
    out.writeShort(0);
    body.accept(out);
    int length = out.writerIndex() - start;
    out.setShort(start + 2, length);
    out.writeZero((length + 7) / 8 * 8 - length);
  }

  private static void writeTypes(ByteBuf out, int[] types) {
    for (int type : types) {
      out.writeShort(type);
      out.writeShort(4);
    }
  }

  private static void writeFields(ByteBuf out, Predicate<OxmField> wanted, boolean masks) {
    for (OxmField field : OxmField.values()) {
      if (wanted.test(field)) {
        int bytes = (field.bits() + 7) / 8;
        boolean masked = masks && field.maskable();
        out.writeShort(0x8000); // OFPXMC_OPENFLOW_BASIC
        out.writeByte(field.oxmNumber() << 1 | (masked ? 1 : 0));
        out.writeByte(masked ? 2 * bytes : bytes);
      }
    }
  }
}
