package io.lockstep.store.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.codec.CodecException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodecTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE})
  void numbersComeBack(long number) {
    Bytes bytes = Codec.int64().encode(number);
    assertThat(bytes.length()).isEqualTo(8);
    assertThat(Codec.int64().decode(bytes)).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 9})
  void aNumberHasEightBytes(int length) {
    assertThatThrownBy(() -> Codec.int64().decode(Bytes.wrap(new byte[length])))
        .isInstanceOf(CodecException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "uplink", "Straße", "\uD83D\uDE00"})
  void textComesBack(String text) {
    assertThat(Codec.utf8().decode(Codec.utf8().encode(text))).isEqualTo(text);
  }

  @Test
  void bytesThatAreNoTextAreRefusedAndNotReplaced() {
    assertThatThrownBy(() -> Codec.utf8().decode(Bytes.copyOf((byte) 'a', (byte) 0xff)))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("UTF-8");
  }

  @Test
  void definitionsNameWhatTheyRefuse() {
    assertThatThrownBy(() -> TableDef.of("Not a name", Codec.utf8(), Codec.utf8()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("Not a name", "a letter first");
    assertThatThrownBy(() -> new RowTableDef<>("sys.mine", Codec.utf8()))
        .hasMessageContaining("the store's own");
    assertThatThrownBy(() -> new Column<>("x".repeat(65), Codec.utf8()))
        .hasMessageContaining("1 to 64 bytes, not 65");
    assertThatThrownBy(
            () ->
                Store.specs(
                    TableDef.of("t", Codec.utf8(), Codec.utf8()),
                    new RowTableDef<>("t", Codec.utf8())))
        .hasMessageContainingAll("\"t\"", "give one another name");
  }
}
