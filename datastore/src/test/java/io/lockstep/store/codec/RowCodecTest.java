package io.lockstep.store.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.Row;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Rows as bytes (section IV-C of the paper): canonical, and changed without being decoded. */
class RowCodecTest {
  private static final List<String> NAMES =
      List.of("a", "b", "ba", "port", "\u00e4", "\uffee", "\ud83d\ude00");

  @Test
  void looksLikeThis() {
    Row row = Row.of(Map.of("vlan", Bytes.empty(), "port", Bytes.utf8("7")));
    assertThat(HexFormat.of().formatHex(RowCodec.encode(row).toArray()))
        .isEqualTo("02" + ("04" + "706f7274" + "0137") + ("04" + "766c616e" + "00"));
  }

  @Test
  void namesAscendAsBytes() {
    // As Java's strings the other way round: a surrogate is less than U+FFEE.
    Row row = Row.of(Map.of("\uffee", Bytes.empty(), "\ud83d\ude00", Bytes.empty()));
    Bytes encoded = RowCodec.encode(row);
    assertThat(encoded.at(1)).isEqualTo((byte) 3);
    assertThat(RowCodec.decode(encoded)).isEqualTo(row);
    assertThat(RowCodec.violation(encoded)).isNull();
  }

  @Test
  void everyTruncationIsRefused() {
    byte[] whole = RowCodec.encode(Samples.ROW).toArray();
    for (int length = 0; length < whole.length; length++) {
      Bytes cut = Bytes.wrap(Arrays.copyOf(whole, length));
      assertThat(RowCodec.violation(cut)).as("cut to " + length).contains("at byte ");
      assertThatThrownBy(() -> RowCodec.decode(cut)).isInstanceOf(CodecException.class);
    }
    assertThat(RowCodec.violation(Bytes.wrap(Arrays.copyOf(whole, whole.length + 1))))
        .contains("expected the end");
  }

  @Test
  void whatIsNotCanonicalIsRefused() {
    assertViolation("00", "a row has at least one column");
    assertViolation("01" + "00" + "00" + "00", "a column's name of 1 byte or more");
    assertViolation("02" + "016200" + "016100", "follows the one before");
    assertViolation("02" + "016100" + "016100", "follows the one before");
    assertViolation("8100" + "016100", "in as few bytes as it can take");
    assertViolation("01" + "0161" + "8000", "in as few bytes as it can take");
    assertViolation("01" + "01ff" + "00", "UTF-8");
    assertViolation("8108" + "00", "at most 1024");
    assertViolation("01" + "41" + "61".repeat(65) + "00", "at most 64");
    assertViolation("ff07", "1023 columns, 0 bytes are left");
  }

  @Property(tries = 300)
  void changesOfEncodedRowsAreThoseOfRows(@ForAll long seed) {
    Random random = new Random(seed);
    Map<String, Bytes> columns = columns(random, 1);
    Bytes row = RowCodec.encode(Row.of(columns));
    Map<String, Bytes> patch = columns(random, 1);
    List<String> names = NAMES.stream().filter(name -> random.nextBoolean()).toList();

    assertThat(RowCodec.decode(row)).isEqualTo(Row.of(columns));
    Map<String, Bytes> merged = new HashMap<>(columns);
    merged.putAll(patch);
    assertThat(RowCodec.merge(row, Row.of(patch))).isEqualTo(RowCodec.encode(Row.of(merged)));
    assertThat(RowCodec.merge(null, Row.of(patch))).isEqualTo(RowCodec.encode(Row.of(patch)));
    Map<String, Bytes> selected = new HashMap<>(columns);
    selected.keySet().retainAll(names);
    assertThat(RowCodec.select(row, names)).isEqualTo(RowCodec.encode(Row.of(selected)));
    if (!names.isEmpty()) {
      assertThat(RowCodec.decode(row, names)).isEqualTo(Row.of(selected));
    }
    Map<String, Bytes> left = new HashMap<>(columns);
    left.keySet().removeAll(names);
    assertThat(RowCodec.without(row, names)).isEqualTo(RowCodec.encode(Row.of(left)));
    assertThat(RowCodec.size(row)).isEqualTo(columns.size());
  }

  @Property(tries = 2_000)
  void whatIsAcceptedIsCanonical(@ForAll int position, @ForAll byte octet) {
    byte[] row = RowCodec.encode(Samples.ROW).toArray();
    row[Math.floorMod(position, row.length)] = octet;
    Bytes changed = Bytes.wrap(row);
    if (RowCodec.violation(changed) == null) {
      assertThat(RowCodec.encode(RowCodec.decode(changed))).isEqualTo(changed);
    }
  }

  private static Map<String, Bytes> columns(Random random, int least) {
    Map<String, Bytes> columns = new HashMap<>();
    int count = least + random.nextInt(NAMES.size());
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[random.nextInt(20) == 0 ? 200 : random.nextInt(3)];
      random.nextBytes(value);
      columns.put(NAMES.get(random.nextInt(NAMES.size())), Bytes.wrap(value));
    }
    return columns;
  }

  private static void assertViolation(String hex, String text) {
    Bytes row = Bytes.wrap(HexFormat.of().parseHex(hex));
    assertThat(RowCodec.violation(row)).as(hex).contains(text);
  }
}
