package io.lockstep.store.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Lists of keys as bytes: canonical. */
class ReferencesTest {
  private static final Bytes LIST = References.of(Samples.KEY, Samples.VALUE, Samples.KEY);

  @Test
  void looksLikeThis() {
    assertThat(LIST).hasToString("03" + "0200ff" + "0576616c7565" + "0200ff");
    assertThat(References.of()).hasToString("00");
  }

  @Test
  void comesBackAsItWas() {
    List<Bytes> keys = List.of(Samples.KEY, Samples.VALUE, Samples.KEY);
    assertThat(References.decode(LIST)).isEqualTo(keys);
    assertThat(References.size(LIST)).isEqualTo(3);
    assertThat(References.violation(LIST)).isNull();
    List<Bytes> most = Collections.nCopies(References.MAX_KEYS, Samples.KEY);
    assertThat(References.decode(References.encode(most))).isEqualTo(most);
  }

  @Test
  void everyTruncationIsRefused() {
    byte[] whole = LIST.toArray();
    for (int length = 0; length < whole.length; length++) {
      Bytes cut = Bytes.wrap(Arrays.copyOf(whole, length));
      assertThat(References.violation(cut)).as("cut to " + length).contains("at byte ");
      assertThatThrownBy(() -> References.decode(cut)).isInstanceOf(CodecException.class);
    }
    assertThat(References.violation(Bytes.wrap(Arrays.copyOf(whole, whole.length + 1))))
        .contains("expected the end");
  }

  @Test
  void whatIsNotCanonicalOrTooLongIsRefused() {
    assertViolation("8100" + "00", "in as few bytes as it can take");
    assertViolation("01" + "8000", "in as few bytes as it can take");
    assertViolation("914e", "at most 10000");
    assertViolation("904e", "10000 keys, 0 bytes are left");
    assertViolation("01" + "8108" + "00".repeat(1025), "at most 1024");
  }

  @Property(tries = 2_000)
  void whatIsAcceptedIsCanonical(@ForAll byte[] garbage) {
    Bytes list = Bytes.wrap(garbage);
    if (References.violation(list) == null) {
      assertThat(References.encode(References.decode(list))).isEqualTo(list);
    }
  }

  private static void assertViolation(String hex, String text) {
    Bytes list = Bytes.wrap(HexFormat.of().parseHex(hex));
    assertThat(References.violation(list)).as(hex).contains(text);
  }
}
