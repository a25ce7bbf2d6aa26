package io.lockstep.openflow.channel.translate;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.TableClaims.Table;
import io.lockstep.placer.space.HeaderField;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFVersion;

class TableFeaturesReaderTest {
  private static final int STATS_REPLY = 19;

  /** OXM headers: a field, with its mask bit and length, which is not looked at. */
  private static byte[] oxm(int... fieldsAndMasks) {
    ByteBuf out = Unpooled.buffer();
    for (int each : fieldsAndMasks) {
      out.writeShort(0x8000).writeByte(each).writeByte(4);
    }
    byte[] bytes = new byte[out.readableBytes()];
    out.readBytes(bytes);
    return bytes;
  }

  private static int exact(int field) {
    return field << 1;
  }

  private static int masked(int field) {
    return field << 1 | 1;
  }

  private static void property(ByteBuf out, int type, byte... body) {
    out.writeShort(type).writeShort(4 + body.length).writeBytes(body);
    out.writeZero((8 - (4 + body.length) % 8) % 8);
  }

  private static ByteBuf reply(boolean more) {
    ByteBuf out = Unpooled.buffer();
    out.writeByte(4).writeByte(STATS_REPLY).writeShort(0).writeInt(77);
    out.writeShort(12).writeShort(more ? 1 : 0).writeInt(0);
    return out;
  }

  private static ByteBuf table(ByteBuf out, int number, String name, int most, byte[] wildcards) {
    int start = out.writerIndex();
    out.writeShort(0).writeByte(number).writeZero(5);
    byte[] text = name.getBytes(StandardCharsets.US_ASCII);
    out.writeBytes(text).writeZero(32 - text.length);
    out.writeLong(-1).writeLong(-1).writeInt(0).writeInt(most);
    property(out, 0, new byte[] {0, 1, 0, 4, 0, 4, 0, 4});
    property(out, 2, (byte) 1, (byte) 2, (byte) 3);
    property(out, 8, oxm(exact(3), exact(5), masked(12), exact(13), exact(14), exact(16)));
    property(out, 10, wildcards);
    property(out, 0xffff, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
    out.setShort(start, out.writerIndex() - start);
    return out.setShort(2, out.writerIndex());
  }

  private static TableFeaturesPart read(ByteBuf frame) {
    return Objects.requireNonNull(
        TableFeaturesReader.read(OFVersion.OF_13, frame.getUnsignedByte(1), frame));
  }

  private static int bits(HeaderField... fields) {
    int bits = 0;
    for (HeaderField field : fields) {
      bits |= field.bit();
    }
    return bits;
  }

  @Test
  void tablesAreReadWithFieldsMasksWildcardsAndNextTables() {
    byte[] wildcards = oxm(exact(5), exact(12), exact(13), exact(14), exact(16));
    TableFeaturesPart part = read(table(reply(true), 0, "first", 500, wildcards));
    assertThat(part.more()).isTrue();
    assertThat(part.xid()).isEqualTo(77);
    Table table = part.tables().get(0);
    assertThat(table.name()).isEqualTo("first");
    assertThat(table.maxEntries()).isEqualTo(500);
    assertThat(table.next()).containsExactly(1, 2, 3);
    // Source ports only of TCP are not enough for rules on the ports of UDP.
    int matches =
        bits(HeaderField.ETH_DST, HeaderField.ETH_TYPE, HeaderField.IPV4_DST, HeaderField.L4_DST);
    assertThat(table.matches()).isEqualTo(matches);
    assertThat(table.anyMask()).isEqualTo(bits(HeaderField.IPV4_DST));
    assertThat(table.optional() & matches).isEqualTo(matches & ~HeaderField.ETH_DST.bit());
  }

  @Test
  void aTableThatWantsAFieldWhichNobodyHasHoldsNothing() {
    // tcp_src may not be left out, and udp_src cannot be matched.
    byte[] wildcards = oxm(exact(3), exact(5), exact(12), exact(14), exact(16));
    Table table = read(table(reply(false), 0, "", -1, wildcards)).tables().get(0);
    assertThat(table.maxEntries()).isEqualTo(0xffff_ffffL);
    assertThat(table.name()).isEmpty();
    assertThat(table.matches()).isZero();
  }

  /** A message with one table that says which fields it can set. */
  private static ByteBuf setting(byte[] fields) {
    ByteBuf one = table(reply(false), 0, "a", 1, oxm());
    property(one, 14, fields);
    one.setShort(16, one.writerIndex() - 16);
    return one.setShort(2, one.writerIndex());
  }

  @Test
  void whatATableCanSetSaysWhetherTheSwitchRewrites() {
    assertThat(read(table(reply(false), 0, "a", 1, oxm())).rewrites())
        .as("it does not say")
        .isTrue();
    byte[] all = oxm(exact(3), exact(4), exact(11), exact(12), exact(13), exact(14));
    assertThat(read(setting(all)).rewrites()).isTrue();
    byte[] withoutPorts = oxm(exact(3), exact(4), exact(11), exact(12));
    assertThat(read(setting(withoutPorts)).rewrites()).isFalse();
  }

  @Test
  void eachTableHasTheFieldsThatItCanSet() {
    assertThat(read(table(reply(false), 0, "a", 1, oxm())).tables().get(0).rewrites())
        .as("it does not say")
        .isEqualTo(HeaderField.REWRITABLE);
    byte[] some = oxm(exact(3), exact(6), exact(13), exact(26));
    assertThat(read(setting(some)).tables().get(0).rewrites())
        .isEqualTo(
            bits(
                HeaderField.ETH_DST,
                HeaderField.VLAN_VID,
                HeaderField.L4_SRC,
                HeaderField.IPV6_SRC_HIGH,
                HeaderField.IPV6_SRC_LOW));
    assertThat(read(setting(oxm())).tables().get(0).rewrites()).isZero();
  }

  @Test
  void severalTablesCanBeInOneMessage() {
    ByteBuf both = table(table(reply(false), 0, "a", 1, oxm()), 1, "b", 2, oxm());
    assertThat(read(both).tables()).extracting(Table::number).containsExactly(0, 1);
  }

  @Test
  void whatIsMalformedHasNoTablesAndDoesNoHarm() {
    ByteBuf whole = table(reply(false), 0, "a", 10, oxm(exact(3)));
    for (int length = 17; length < whole.writerIndex(); length++) {
      ByteBuf cut = whole.copy(0, length);
      TableFeaturesPart part = read(cut);
      assertThat(part.tables()).as("%d bytes", length).isEmpty();
      assertThat(part.wrong()).contains("malformed");
    }
    Random random = new Random(5);
    for (int round = 0; round < 2_000; round++) {
      ByteBuf noise = whole.copy();
      for (int i = 0; i < 4; i++) {
        noise.setByte(16 + random.nextInt(noise.writerIndex() - 16), random.nextInt(256));
      }
      assertThat(read(noise).tables().size()).isBetween(0, 4);
    }
  }

  @Test
  void otherMessagesAreLeftAlone() {
    ByteBuf frame = table(reply(false), 0, "a", 10, oxm());
    assertThat(TableFeaturesReader.read(OFVersion.OF_13, 18, frame)).isNull();
    assertThat(TableFeaturesReader.read(OFVersion.OF_10, STATS_REPLY, frame)).isNull();
    assertThat(TableFeaturesReader.read(OFVersion.OF_13, STATS_REPLY, frame.setShort(8, 1)))
        .isNull();
  }

  @Test
  void openFlow10SaysByWildcardsWhatMayBeLeftOut() {
    Table all = TableStats10.claims(0, "flows", 100, 0x3f_ffff);
    assertThat(all.matches() & ~all.optional()).isZero();
    assertThat(all.prefixes())
        .isEqualTo(
            bits(
                HeaderField.IPV4_SRC,
                HeaderField.IPV4_DST,
                HeaderField.ARP_SPA,
                HeaderField.ARP_TPA));
    Table stations = TableStats10.claims(0, "stations", 100, 0x3f_ffff & ~(1 << 3));
    assertThat(stations.matches() & ~stations.optional()).isEqualTo(HeaderField.ETH_DST.bit());
    Table whole = TableStats10.claims(0, "whole", 100, 32 << 8 | 32 << 14);
    assertThat(whole.prefixes()).isZero();
    assertThat(whole.optional() & bits(HeaderField.IPV4_SRC, HeaderField.IN_PORT))
        .isEqualTo(HeaderField.IPV4_SRC.bit());
    assertThat(List.of(all.next(), whole.next())).containsOnly(List.of());
  }
}
