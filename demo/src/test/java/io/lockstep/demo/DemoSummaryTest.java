package io.lockstep.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.demo.DemoStage.Takeover;
import io.lockstep.demo.screen.Picture.Count;
import io.lockstep.demo.screen.Picture.Pings;
import io.lockstep.demo.screen.SamplePicture;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoSummaryTest {

  @Test
  void theSummarySaysWhatHappenedAndWhatIsNext() {
    DemoSummary summary =
        new DemoSummary(
            72_500,
            SamplePicture.WITHOUT_N1.pings(),
            List.of(new Takeover("west", 4, "n2", 312)),
            List.of("killed n1", "cut the link s1 - s2"));
    assertThat(summary.lines())
        .startsWith(
            "Lockstep demo: ended after 72 s",
            "  pings       65 sent, 6 lost, longest gap 250 ms",
            "  lost        0 before the kill, 2 until the take-over, 0 after it,",
            "              4 where a link or a host changed",
            "  take-overs  west by n2 in 312 ms",
            "  you         killed n1",
            "              cut the link s1 - s2",
            "",
            "Try next:")
        .allMatch(line -> line.length() <= 80);
    assertThat(summary.lines().stream().filter(line -> line.startsWith("  ./lockstep"))).hasSize(3);
  }

  @Test
  void aDemoThatEndsAtOnceSaysSo() {
    Pings none = new Pings(3, Count.NONE, Count.NONE, Count.NONE, Count.NONE, 0);
    assertThat(new DemoSummary(900, none, List.of(), List.of()).lines())
        .startsWith(
            "Lockstep demo: ended after 0 s",
            "  pings       none counted: not all hosts answered yet",
            "  take-overs  none",
            "  you         none");
  }

  @Test
  void aLongListIsCut() {
    List<String> many = Collections.nCopies(20, "killed n1");
    assertThat(
            new DemoSummary(1, SamplePicture.CALM.pings(), List.of(), many)
                .lines().stream().filter(line -> line.contains("killed n1")))
        .hasSize(8);
    assertThat(new DemoSummary(1, SamplePicture.CALM.pings(), List.of(), many).lines())
        .contains("              and 12 more");
  }
}
