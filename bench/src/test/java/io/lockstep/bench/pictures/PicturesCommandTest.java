package io.lockstep.bench.pictures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.bench.BenchMain;
import io.lockstep.bench.drawing.SvgTexts;
import io.lockstep.bench.runs.BenchException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PicturesCommandTest {
  private static final Path RESULTS = Path.of("results");
  private static final String SURROUNDINGS =
      """
      "surroundings": {"machine": {"cpu": "a cpu", "cores": 2}, "jvm": {"version": "17.0.1"},
        "commit": {"id": "0123456789abcdef", "dirty": false}}\
      """;

  @TempDir Path directory;

  private static String comparePoint(String store, int round, int flows, double perSecond) {
    return """
        {"store": "%s", "workload": "ls-ucast", "variant": "micro", "durable": true, "round": %d,
         "flows": %d, "flowsPerSecond": %f, "p50Millis": 0.5}\
        """
        .formatted(store, round, flows, perSecond);
  }

  private void write(String name, String content) throws Exception {
    Files.writeString(directory.resolve(name), content);
  }

  @Test
  void committedPicturesShowTheCommittedResults() throws Exception {
    for (HeadlinePicture picture : PicturesCommand.ALL) {
      String svg = picture.svg(RESULTS);
      SvgTexts.assertLegible(svg);
      assertThat(RESULTS.resolve(picture.name() + ".svg"))
          .as("draw again: ./lockstep bench pictures")
          .hasContent(svg);
    }
  }

  @Test
  void aBarIsTheMedianOfItsRoundsAndSaysWhereItIsFrom() throws Exception {
    write(
        "compare-peers.json",
        List.of(
                comparePoint("jraft", 1, 64, 10_000),
                comparePoint("lockstep", 1, 64, 41_000),
                comparePoint("lockstep", 2, 64, 49_000),
                comparePoint("lockstep", 3, 64, 43_210))
            .toString());
    write(
        "compare-peers.json.run.json",
        """
        {"run": {"commit": {"id": "0123456789abcdef", "dirty": true},
          "machine": {"cpu": "a cpu", "cores": 2}, "jvm": {"version": "17.0.1"}}}
        """);
    String svg = new ComparePicture().svg(directory);
    SvgTexts.assertLegible(svg);
    assertThat(svg)
        .contains(">43.2<", ">10.0<", "64 flows at a time, state on disk")
        .contains("compare-peers.json, commit 01234567 with changes, a cpu, 2 cores, Java 17.0.1")
        .doesNotContain("in memory", "one flow at a time");
  }

  @Test
  void aPhaseThatDidNotEndHasNoPoint() throws Exception {
    write(
        "network.json",
        """
        [{"switches": 10, "phase": "connect", "seconds": 4.56},
         {"switches": 400, "phase": "connect", "seconds": null},
         {"switches": 10, "phase": "rest", "seconds": 30, "cpuSeconds": 9, "residentMegabytes": 234}]
        """);
    write("network.json.run.json", "{" + SURROUNDINGS + "}");
    String svg = new NetworkPicture().svg(directory);
    SvgTexts.assertLegible(svg);
    assertThat(svg)
        .as("9 s of CPU in 30 s on three nodes are a tenth of a core each")
        .contains(">4.56<", ">10.0<", ">234<", "commit 01234567");
  }

  @Test
  void whatIsMissingIsNamedWithTheCommandThatMakesIt() throws Exception {
    assertThatThrownBy(() -> new FailoverPicture().svg(directory))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("failover-leader.json is missing")
        .hasMessageContaining("./lockstep bench failover --scenarios leader --runs 50");
    write("learning-switch.json", "{\"points\": [");
    assertThatThrownBy(() -> new LearningSwitchPicture().svg(directory))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("learning-switch.json is no result");
    write("learning-switch.json", "{\"points\": []}");
    assertThatThrownBy(() -> new LearningSwitchPicture().svg(directory))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("has no points");
    assertThat(BenchMain.run("pictures", "--results", directory.toString())).isEqualTo(1);
  }
}
