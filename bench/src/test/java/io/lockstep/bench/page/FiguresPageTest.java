package io.lockstep.bench.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.bench.drawing.SvgTexts;
import io.lockstep.bench.figures.FigureRow;
import io.lockstep.bench.figures.FigureRow.Point;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FiguresPageTest {
  private static final List<String> PICTURES =
      List.of(
          "table-i.svg",
          "table-ii.svg",
          "fig-7.svg",
          "fig-8a.svg",
          "fig-8b.svg",
          "fig-9a.svg",
          "fig-9b.svg");

  private static final String RUN =
      "{\"startedAt\": \"2026-01-02T03:04:05Z\", \"commandLine\": [\"bench\", \"placer\"],"
          + " \"surroundings\": {\"commit\": {\"id\": \"abcdef\"}}}";

  @TempDir private Path directory;

  private Path page() {
    return directory.resolve("page");
  }

  private Path results() throws IOException {
    return Files.createDirectories(directory.resolve("results"));
  }

  private String written(List<FigureRow> rows) throws Exception {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("machine", "2 cores & more");
    facts.put("commit", "1234567");
    FiguresPage.write(page(), rows, facts, results());
    return Files.readString(page().resolve("index.html"));
  }

  private String picture(String file) throws IOException {
    return Files.readString(page().resolve(file));
  }

  private void assertAllLegible() throws Exception {
    for (String file : PICTURES) {
      SvgTexts.assertLegible(picture(file));
    }
  }

  @Test
  void everyFigureOfAFullRunHasALegiblePictureThatThePageShows() throws Exception {
    String page = written(InventedRows.full());
    assertAllLegible();
    for (String file : PICTURES) {
      assertThat(page).contains("src=\"" + file + "\"");
    }
    assertThat(picture("fig-7.svg"))
        .contains(
            "messages, state in memory",
            "messages, state on disk",
            "live, state in memory",
            "live, state on disk",
            "throughput, k flows/s",
            "latency p90, ms",
            "paper micro",
            "95 % interval",
            ">1024<");
    assertThat(picture("fig-8b.svg")).contains("paper cols 6.5");
  }

  @Test
  void thePapersModeInMemoryIsTheFirstPanel() throws Exception {
    written(InventedRows.full());
    String svg = picture("fig-9a.svg");
    assertThat(svg.indexOf("messages, state in memory"))
        .isPositive()
        .isLessThan(svg.indexOf("messages, state on disk"))
        .isLessThan(svg.indexOf("live, state"));
  }

  @Test
  void everyFigureOfAQuickRunHasALegiblePictureWithoutIntervals() throws Exception {
    String page = written(InventedRows.quick());
    assertAllLegible();
    assertThat(picture("fig-9b.svg")).contains(">1<", ">64<").doesNotContain("95 %", "on disk");
    assertThat(page).contains("Micro components").doesNotContain("NaN", "Infinity", "null");
  }

  @Test
  void figuresWithoutAVariantOrWithoutRowsAreStillWritten() throws Exception {
    List<FigureRow> rows =
        InventedRows.quick().stream()
            .filter(row -> !row.variant().equals("micro"))
            .filter(row -> !row.figure().equals("Fig. 8a"))
            .toList();
    String page = written(rows);
    SvgTexts.assertLegible(picture("fig-7.svg"));
    assertThat(picture("fig-7.svg")).doesNotContain("micro");
    assertThat(pageFiles()).doesNotContain("fig-8a.svg");
    assertThat(page).contains("no rows of Fig. 8a", "no rows of both init and micro");
  }

  private List<String> pageFiles() throws IOException {
    try (var files = Files.list(page())) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void aRunWithoutAnyRowSaysSo() throws Exception {
    assertThat(written(List.of())).contains("no rows of Table I", "no rows of Fig. 9b");
  }

  @Test
  void theCacheWithoutAMessageIsCutAndThePapersIsInfinite() throws Exception {
    written(InventedRows.quick());
    assertThat(picture("table-ii.svg"))
        .contains("∞: no message", "<polygon", "best, 64 flows", ">25<")
        .doesNotContain(">30<");
  }

  @Test
  void microOverInitStandsBesideThePapers() throws Exception {
    String page = written(InventedRows.quick());
    String table = page.substring(page.indexOf("Micro components: highest"));
    // The rates of the fixture differ by 2 whatever the figure.
    assertThat(table)
        .contains(
            "<td class=\"number\">2.00</td><td class=\"number\">1.8</td>",
            "<td class=\"number\">2.00</td><td class=\"number\">2.4</td>",
            "<td class=\"number\">2.00</td><td class=\"number\">4</td>");
  }

  @Test
  void reasonsAndFactsAreEscapedAndEveryPaperValueHasItsRow() throws Exception {
    List<FigureRow> rows = InventedRows.full();
    String page = written(rows);
    assertThat(page)
        .contains("invented &lt;b&gt;reason&lt;/b&gt; &amp; &quot;more&quot;", "2 cores &amp; more")
        .doesNotContain("<b>");
    long printed =
        rows.stream()
            .filter(row -> row instanceof Point point && point.metric().equals("flowsPerSecond"))
            .filter(row -> ((Point) row).paper() != null)
            .count();
    String unfolded = page.replaceAll("(?s)<details>.*?</details>", "");
    assertThat(unfolded.split("<td class=\"number\">1024</td><td class=\"number\">", -1))
        .hasSizeGreaterThan((int) printed);
  }

  @Test
  void thePageNeedsNothingButItsOwnDirectory() throws Exception {
    String page = written(InventedRows.full());
    assertThat(page).doesNotContain("http:", "https:", "file:", "<script", "@import");
    List<String> targets =
        Pattern.compile("(?:src|href)=\"([^\"]*)\"")
            .matcher(page)
            .results()
            .map((MatchResult match) -> match.group(1))
            .toList();
    assertThat(targets).isNotEmpty();
    for (String target : targets) {
      assertThat(target.startsWith("#") || Files.exists(page().resolve(target)))
          .as(target)
          .isTrue();
      assertThat(target).doesNotContain("/");
    }
  }

  @Test
  void sameRowsGiveTheSameFiles() throws Exception {
    String first = written(InventedRows.full());
    String picture = picture("fig-7.svg");
    assertThat(written(InventedRows.full())).isEqualTo(first);
    assertThat(picture("fig-7.svg")).isEqualTo(picture);
  }

  @Test
  void missingResultsOfOtherPapersAreNamedWithTheirCommand() throws Exception {
    assertThat(written(InventedRows.quick()))
        .contains("The result is missing (placer.json)", "./lockstep bench placer --out")
        .contains(
            "The result is missing (switch-model.json)", "./lockstep bench switch-model --out");
  }

  @Test
  void resultsOfOtherPapersAreShownWithTheirOriginAndPictures() throws Exception {
    Files.writeString(results().resolve("placer.json.run.json"), RUN);
    Files.writeString(
        results().resolve("placer.json"),
        "[{\"rules\": 20, \"traffic\": \"zipf\", \"capacityShare\": 0.25, \"policy\": \"placer\","
            + " \"hardwareTrafficShare\": 0.625}, {\"rules\": 500, \"traffic\": \"zipf\","
            + " \"capacityShare\": 0.25, \"path\": \"product\", \"policy\": \"arrival\", \"ruleSet\":"
            + " \"acl\", \"profile\": \"5130\", \"hardwareTrafficShare\": 0.375}]");
    Files.writeString(results().resolve("placer.20.svg"), "<svg/>");
    Files.writeString(results().resolve("switch-model.json.run.json"), RUN);
    Files.writeString(
        results().resolve("switch-model.json"),
        "[{\"figure\": \"3\", \"profile\": \"2920\", \"x\": \"software\", \"value\": 14.4, \"unit\":"
            + " \"Mbit/s\", \"paper\": 12}]");
    String page = written(InventedRows.quick());
    assertThat(page)
        .contains("abcdef", "./lockstep bench placer<", "20 rules, zipf, 25 %", ">0.625<")
        .contains("Through three nodes", "500 rules, zipf, 25 %, acl, 5130", ">0.375<")
        .contains("2920, Mbit/s", ">1.20<", "switch-model.fig3.svg is missing");
    assertThat(picture("placer.20.svg")).isEqualTo("<svg/>");
  }

  @Test
  void aResultThatIsCutOffIsNamed() throws Exception {
    Files.writeString(results().resolve("placer.json.run.json"), RUN);
    Files.writeString(results().resolve("placer.json"), "[{\"rules\": 2");
    assertThatThrownBy(() -> written(InventedRows.quick()))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("placer.json is cut off")
        .hasMessageContaining("./lockstep bench placer");
  }
}
