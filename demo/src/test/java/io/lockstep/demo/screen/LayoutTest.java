package io.lockstep.demo.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayoutTest {
  private static final TerminalCapabilities COLOURED = new TerminalCapabilities(true, true);
  private static final TerminalCapabilities BARE = new TerminalCapabilities(false, true);
  private static final String KEYS =
      "k kill a node  r start it  l cut a link  m move a host  f flows  q quit";

  private static View view(int events) {
    List<String> happened =
        IntStream.rangeClosed(1, events).mapToObj(i -> "  1.000 s  event " + i).toList();
    return new View(12_345, "in 3 s n1 dies", SamplePicture.WITHOUT_N1, happened, null);
  }

  private static View flows(int entries) {
    List<FlowList.Entry> all =
        IntStream.rangeClosed(1, entries)
            .mapToObj(i -> new FlowList.Entry(10, "in_port=" + i, "port " + (i + 1), i))
            .toList();
    return new View(
        0, "", SamplePicture.CALM, List.of(), new FlowList("switch s1: flow entries", all));
  }

  private static List<String> lines(View view, int columns, int rows) {
    return Layout.lines(view, new Size(columns, rows), BARE);
  }

  private static String withoutEscapes(String line) {
    return line.replaceAll("\033\\[[0-9;]*m", "");
  }

  @ParameterizedTest
  @CsvSource({"80, 24", "160, 50", "40, 10", "79, 23", "12, 3", "1, 1", "3, 40", "500, 2"})
  void everyLineFitsAndTheScreenIsFull(int columns, int rows) {
    for (View view : List.of(view(0), view(1), view(100), flows(0), flows(100))) {
      List<String> lines = Layout.lines(view, new Size(columns, rows), COLOURED);
      assertThat(lines).hasSize(rows);
      assertThat(lines)
          .allSatisfy(
              line -> assertThat(Columns.of(withoutEscapes(line))).isLessThanOrEqualTo(columns));
    }
  }

  @ParameterizedTest
  @CsvSource({"80, 24", "160, 50", "40, 10", "7, 5"})
  void withoutColoursTheTextIsTheSame(int columns, int rows) {
    Size size = new Size(columns, rows);
    for (View view : List.of(view(5), flows(5))) {
      List<String> coloured = Layout.lines(view, size, COLOURED);
      List<String> bare = Layout.lines(view, size, BARE);
      assertThat(coloured).isNotEqualTo(bare);
      assertThat(coloured.stream().map(LayoutTest::withoutEscapes)).isEqualTo(bare);
      assertThat(String.join("", bare)).doesNotContain("\033");
    }
  }

  @Test
  void at80By24AllPartsAreThere() {
    assertThat(lines(view(9), 80, 24))
        .containsExactly(
            "Lockstep demo   12.345 s",
            "in 3 s n1 dies",
            "",
            "NODE  STATE  REPLICA      LEADER  MASTERS",
            "n1    down   -",
            "n2    up     operational  *       east",
            "n3    up     operational",
            "",
            "domain west     \u25cb\u25cb\u25cb\u25cb  master none, 0 of 4 switches",
            "domain east     \u25cf\u25cf\u25cf\u25cb  master n2, 3 of 4 switches",
            "links  18 of 20 known  cut: s1 - s5",
            "hosts  h1@s1 h2@s2 h3@s3 h4@s4 h5@s5 h6@s6 h7@s7 h8@s8",
            "",
            "pings  65 sent, 6 lost, longest gap 250 ms",
            "lost   0 before the kill, 2 until the take-over, 0 after it, 4 at changes",
            "",
            "  1.000 s  event 6",
            "  1.000 s  event 7",
            "  1.000 s  event 8",
            "  1.000 s  event 9",
            "\u25cf its master acts on the switch, in the colour of that node; \u25cb no master",
            "LEADER * proposes the order of operations in the store",
            "the take-over lasts from kill -9 until 1 s after another node masters all",
            KEYS);
  }

  @Test
  void at80ColumnsNothingIsClipped() {
    assertThat(lines(view(9), 80, 24)).isEqualTo(lines(view(9), 500, 24));
  }

  @Test
  void aSmallScreenKeepsWhatMattersMost() {
    assertThat(lines(view(9), 40, 10))
        .containsExactly(
            "Lockstep demo   12.345 s",
            "NODE  STATE  REPLICA      LEADER  MASTER",
            "n1    down   -",
            "n2    up     operational  *       east",
            "n3    up     operational",
            "domain west     \u25cb\u25cb\u25cb\u25cb  master none, 0 of ",
            "domain east     \u25cf\u25cf\u25cf\u25cb  master n2, 3 of 4 ",
            "pings  65 sent, 6 lost, longest gap 250 ",
            "  1.000 s  event 9",
            KEYS.substring(0, 40));
    assertThat(lines(view(9), 40, 2))
        .containsExactly("Lockstep demo   12.345 s", KEYS.substring(0, 40));
  }

  @Test
  void aLargeScreenShowsMoreEventsAndKeepsTheKeysAtItsEdge() {
    assertThat(lines(view(100), 160, 50))
        .contains("  1.000 s  event 71", "  1.000 s  event 100")
        .doesNotContain("  1.000 s  event 70");
    List<String> few = lines(view(2), 160, 50);
    assertThat(few.get(17)).isEqualTo("  1.000 s  event 2");
    assertThat(few.subList(18, 46)).containsOnly("");
    assertThat(few.get(49)).isEqualTo(KEYS);
  }

  @Test
  void theColourOfACircleIsThatOfItsMaster() {
    String lines = String.join("\n", Layout.lines(view(1), new Size(80, 24), COLOURED));
    assertThat(lines)
        .contains("\033[31mn1    down")
        .contains("\033[36mn2    up")
        .contains("west     \033[31m\u25cb")
        .contains("east     \033[36m\u25cf");
  }

  @Test
  void aTerminalWithoutCirclesGetsLetters() {
    List<String> lines =
        Layout.lines(view(1), new Size(80, 24), new TerminalCapabilities(true, false));
    assertThat(String.join("", lines)).contains("MMMo", "oooo").matches("[\\x00-\\x7f]*");
  }

  @Test
  void flowsTakeThePlaceOfAllElseAndTheFirstEntriesStay() {
    List<String> lines = lines(flows(100), 80, 10);
    assertThat(lines.get(1)).isEqualTo("switch s1: flow entries");
    assertThat(lines).anyMatch(line -> line.matches("10 +in_port=1 +port 2 +1"));
    assertThat(lines).noneMatch(line -> line.contains("in_port=100"));
    assertThat(lines.get(9)).isEqualTo("f next switch  Esc back  q quit");
  }

  @Test
  void beforeAllHostsAnsweredThereIsNothingToCount() {
    Picture warming =
        new Picture(
            SamplePicture.CALM.nodes(),
            SamplePicture.CALM.domains(),
            SamplePicture.CALM.links(),
            SamplePicture.CALM.hosts(),
            new Picture.Pings(
                7,
                Picture.Count.NONE,
                Picture.Count.NONE,
                Picture.Count.NONE,
                Picture.Count.NONE,
                0));
    View view = new View(0, "", warming, List.of(), null);
    assertThat(lines(view, 80, 24)).contains("pings  warming up: 7 sent");
  }
}
