package io.lockstep.deploy.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.demo.DemoScreen.DomainLine;
import io.lockstep.deploy.demo.DemoScreen.NodeLine;
import io.lockstep.deploy.demo.DemoScreen.Picture;
import io.lockstep.deploy.demo.PingBoard.Counts;
import io.lockstep.deploy.demo.PingBoard.Phase;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DemoScreenTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private static final Picture PICTURE =
      new Picture(
          List.of(
              new NodeLine("n1", "up", "operational", true, List.of("west")),
              new NodeLine("n2", "down", "-", false, List.of())),
          List.of(new DomainLine("west", 0, "n1", 3, 4), new DomainLine("east", -1, "none", 0, 4)),
          new PingBoard.Tally(
              Map.of(Phase.BEFORE, new Counts(10, 0), Phase.DURING, new Counts(5, 2)),
              1,
              250,
              true));

  private String printed() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void withoutATerminalThereIsNoEscapeAndNoFlood() {
    DemoScreen screen = new DemoScreen(out, false);
    screen.event("kill -9 n2");
    for (int i = 0; i < 100; i++) {
      screen.show(PICTURE);
    }
    assertThat(printed()).doesNotContain("\033").contains("kill -9 n2");
    assertThat(printed().lines().count()).isLessThanOrEqualTo(3);
  }

  @Test
  void onATerminalTheTableRedrawsItselfInPlace() {
    DemoScreen screen = new DemoScreen(out, true);
    screen.event("kill -9 n2");
    screen.show(PICTURE);
    String first = printed();
    assertThat(first)
        .contains("n1    up     operational  *       west")
        .contains("\033[31mn2    down")
        .contains("\u25cf\u25cf\u25cf\u25cb")
        .contains("master none, 0 of 4 switches")
        .contains(
            "pings: 15 sent, 2 lost, longest gap 250 ms (lost before the kill 0, until the take-over 2, after it 0)")
        .contains("kill -9 n2");
    long lines = first.lines().count();
    bytes.reset();
    screen.show(PICTURE);
    assertThat(printed()).startsWith("\033[" + (lines - 1) + "A");
  }
}
