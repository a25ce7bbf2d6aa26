package io.lockstep.demo.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PlainScreenTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private String printed() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void thereIsNoEscapeAndNoFlood() {
    PlainScreen screen = new PlainScreen(out);
    screen.event("kill -9 n2");
    for (int i = 0; i < 100; i++) {
      screen.show(SamplePicture.WITHOUT_N1);
    }
    assertThat(printed()).doesNotContain("\033").contains(" s  kill -9 n2");
    assertThat(printed().lines().count()).isLessThanOrEqualTo(3);
  }

  @Test
  void aLineNamesNodesMastersAndPings() {
    assertThat(PlainScreen.words(SamplePicture.WITHOUT_N1))
        .isEqualTo(
            "nodes n1=down n2=up(leader) n3=up, masters west=none east=n2,"
                + " pings: 65 sent, 6 lost, longest gap 250 ms"
                + " (lost before the kill 0, until the take-over 2, after it 0)");
  }
}
