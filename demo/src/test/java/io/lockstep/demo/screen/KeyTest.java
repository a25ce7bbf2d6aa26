package io.lockstep.demo.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyTest {

  private static List<Key> keys(String typed) {
    byte[] bytes = typed.getBytes(StandardCharsets.ISO_8859_1);
    return Key.decode(bytes, bytes.length);
  }

  @Test
  void eachKeyHasItsAction() {
    assertThat(keys("krlmfq"))
        .containsExactly(Key.KILL, Key.START, Key.LINK, Key.MOVE, Key.FLOWS, Key.QUIT);
    assertThat(keys("KQ")).containsExactly(Key.KILL, Key.QUIT);
    assertThat(keys("\u0003")).containsExactly(Key.QUIT);
    assertThat(keys("\u0004")).containsExactly(Key.QUIT);
  }

  @Test
  void otherKeysMeanNothing() {
    assertThat(keys("xyz 1\r\n\u00fc")).isEmpty();
    assertThat(keys("")).isEmpty();
  }

  @Test
  void escapeIsAKeyAndAnArrowIsNone() {
    assertThat(keys("\033")).containsExactly(Key.BACK);
    assertThat(keys("\033[A")).isEmpty();
    assertThat(keys("\033OMk")).containsExactly(Key.KILL);
    assertThat(keys("\033[15~f")).containsExactly(Key.FLOWS);
    assertThat(keys("\033[1;5")).as("cut off").isEmpty();
    assertThat(keys("\033\033")).containsExactly(Key.BACK, Key.BACK);
  }

  @Test
  void onlyTheBytesThatWereReadCount() {
    assertThat(Key.decode(new byte[] {'k', 'q'}, 1)).containsExactly(Key.KILL);
  }
}
