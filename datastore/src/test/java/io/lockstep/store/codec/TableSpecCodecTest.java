package io.lockstep.store.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.TableSpec;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The values of the catalogue. */
class TableSpecCodecTest {
  private static final List<TableSpec> ALL =
      List.of(
          TableSpec.values(),
          TableSpec.columns(),
          TableSpec.reference("t"),
          TableSpec.references("t"));

  @Test
  void looksLikeThis() {
    assertThat(ALL.stream().map(TableSpecCodec::encode).map(Bytes::toString))
        .containsExactly("01", "02", "030174", "040174");
  }

  @Test
  void comesBackAsItWas() {
    for (TableSpec spec : ALL) {
      assertThat(TableSpecCodec.decode(TableSpecCodec.encode(spec))).isEqualTo(spec);
    }
  }

  @Test
  void everyTruncationIsRefused() {
    for (TableSpec spec : ALL) {
      byte[] whole = TableSpecCodec.encode(spec).toArray();
      for (int length = 0; length < whole.length; length++) {
        Bytes cut = Bytes.wrap(Arrays.copyOf(whole, length));
        assertThatThrownBy(() -> TableSpecCodec.decode(cut)).isInstanceOf(CodecException.class);
      }
      Bytes longer = Bytes.wrap(Arrays.copyOf(whole, whole.length + 1));
      assertThatThrownBy(() -> TableSpecCodec.decode(longer)).isInstanceOf(CodecException.class);
    }
  }

  @Test
  void unknownKindMayBeOfANewerVersion() {
    assertThatThrownBy(() -> TableSpecCodec.decode(Bytes.copyOf((byte) 9)))
        .isInstanceOf(CodecException.class)
        .hasMessage(
            "at byte 0: expected a kind of table (1 to 4), found 9, perhaps of a newer version");
  }
}
