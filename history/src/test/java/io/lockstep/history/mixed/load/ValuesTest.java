package io.lockstep.history.mixed.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import org.junit.jupiter.api.Test;

class ValuesTest {
  @Test
  void aLongValueStandsForItsBytes() {
    String text = Values.text("m1.7", 1 << 20);
    assertThat(text).isEqualTo("m1.7*1048576");
    Bytes bytes = Values.bytes(text);
    assertThat(bytes.length()).isEqualTo(1 << 20);
    assertThat(Values.text(bytes)).isEqualTo(text);
  }

  @Test
  void aShortValueIsItself() {
    assertThat(Values.text("m1.7", 1024)).isEqualTo("m1.7");
    assertThat(Values.text(Values.bytes("m1.7"))).isEqualTo("m1.7");
  }

  @Test
  void aValueThatIsNotWholeIsNoValue() {
    byte[] bytes = Values.bytes("m1.7*5000").toArray();
    bytes[4_321]++;
    assertThat(Values.text(Bytes.wrap(bytes))).startsWith("damaged, 5000 bytes");
    assertThat(Values.text(Bytes.wrap(java.util.Arrays.copyOf(bytes, 4_000))))
        .startsWith("damaged, 4000 bytes");
  }
}
