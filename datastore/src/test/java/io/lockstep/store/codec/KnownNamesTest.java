package io.lockstep.store.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Names that come again are the same string, and never another one's. */
class KnownNamesTest {
  private static String read(String name) {
    ByteReader in = new ByteReader(new ByteWriter().utf8(name).int8(7).toArray());
    String read = in.name(1 << 10);
    assertThat(in.uint8()).as("what follows the name").isEqualTo(7);
    in.end();
    return read;
  }

  @Test
  void nameThatComesAgainIsTheSameString() {
    String first = read("core.known-names-test");
    assertThat(first).isEqualTo("core.known-names-test");
    assertThat(read("core.known-names-test")).isSameAs(first);
  }

  /** Far more than are kept, so that they take each other's places. */
  @Test
  void manyNamesAreNeverTakenForEachOther() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 20 * KnownNames.SLOTS; i++) {
        String inTheMiddle = "the same begin-" + i + "-the same end";
        assertThat(read(inTheMiddle)).isEqualTo(inTheMiddle);
        String atTheEnd = "table-" + i;
        assertThat(read(atTheEnd)).isEqualTo(atTheEnd);
      }
    }
  }

  @Test
  void namesOfAllLengthsAndLettersComeBack() {
    for (int length = 0; length <= KnownNames.MAX_BYTES + 2; length++) {
      String ascii = "n".repeat(length);
      String other = "\u00e4".repeat(length);
      for (int time = 0; time < 2; time++) {
        assertThat(read(ascii)).isEqualTo(ascii);
        assertThat(read(other)).isEqualTo(other);
      }
    }
  }

  @Test
  void longNamesAreNotKept() {
    byte[] octets = "n".repeat(KnownNames.MAX_BYTES + 1).getBytes(StandardCharsets.UTF_8);
    KnownNames.keep(octets, 0, octets.length, "n");
    assertThat(KnownNames.find(octets, 0, octets.length)).isNull();
  }
}
