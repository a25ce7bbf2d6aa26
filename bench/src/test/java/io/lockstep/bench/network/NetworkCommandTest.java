package io.lockstep.bench.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.BenchMain;
import io.lockstep.bench.network.NetworkPoint.Use;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The command without nodes. */
class NetworkCommandTest {
  @TempDir private Path directory;

  private int run(NetworkCommand.Runner runner, String arguments) {
    String all = arguments + " --out " + directory.resolve("network.json");
    return new CommandLine(new NetworkCommand(runner)).execute(all.split(" "));
  }

  private JsonNode points() throws Exception {
    return new ObjectMapper().readTree(directory.resolve("network.json").toFile());
  }

  @Test
  void eachNetworkIsRunSoOften() throws Exception {
    List<NetworkSettings> seen = new ArrayList<>();
    int exitCode =
        run(
            (network, blank, settings, sink, notes, nodes) -> {
              seen.add(settings);
              assertThat(nodes).isDirectory();
              sink.keep(blank.in("connect").ended(new Use(1, 2, 3, 4), null, null));
              return List.of();
            },
            "--switches 20,10 --runs 2 --topology fat-tree:hosts=1 --rest-seconds 7"
                + " --flows-per-second 11 --deadline 13 --keys");
    assertThat(exitCode).isZero();
    assertThat(seen).hasSize(4).containsOnly(new NetworkSettings(7, 11, 13, true));
    assertThat(points().findValuesAsText("topology"))
        .containsExactly(
            "fat-tree:20:hosts=1",
            "fat-tree:20:hosts=1",
            "fat-tree:10:hosts=1",
            "fat-tree:10:hosts=1");
    assertThat(points().findValuesAsText("switches")).containsExactly("20", "20", "5", "5");
    assertThat(points().findValuesAsText("hosts")).containsExactly("8", "8", "2", "2");
    assertThat(points().findValuesAsText("run")).containsExactly("1", "2", "1", "2");
    assertThat(directory.resolve("network.failures.txt")).doesNotExist();
    assertThat(directory.resolve("network.json.run.json")).exists();
  }

  @Test
  void aRunThatFailsIsReportedAndTheOthersGoOn() throws Exception {
    List<Path> directories = new ArrayList<>();
    int exitCode =
        run(
            (network, blank, settings, sink, notes, nodes) -> {
              directories.add(nodes);
              boolean fails = blank.run() == 1;
              NetworkPoint point = blank.in("linked");
              sink.keep(fails ? point : point.ended(new Use(1, 2, 3, 4), null, null));
              return fails ? List.of("linked: after 13 s 1 directions: s1:2 -> s2:1") : List.of();
            },
            "--switches 10 --runs 2");
    assertThat(exitCode).isEqualTo(1);
    assertThat(directories.get(1)).doesNotExist();
    Files.delete(directories.get(0)); // the command keeps the logs of a run that failed
    assertThat(points()).hasSize(2);
    assertThat(points().get(0).path("seconds").isNull()).isTrue();
    assertThat(points().get(0).path("cpuSeconds").isNull()).isTrue();
    assertThat(points().get(1).path("seconds").asDouble()).isEqualTo(1);
    assertThat(Files.readString(directory.resolve("network.failures.txt")))
        .isEqualTo("random:10 run 1: linked: after 13 s 1 directions: s1:2 -> s2:1\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--topology mesh | no shape 'mesh'",
        "--switches 5 | random has 6 to 1000 switches",
        "--switches 10,2000 | random has 6 to 1000 switches",
        "--switches many | --switches",
        "--topology random:seed=x | a seed is a whole number",
        "--runs 0 | --runs: 1 to 1000, not 0",
        "--rest-seconds 0 | --rest-seconds: 1 to 3600, not 0",
        "--flows-per-second 1001 | --flows-per-second: 1 to 1000, not 1001",
        "--deadline 0 | --deadline: 1 to 3600, not 0",
      })
  void whatCannotBeIsRefused(String arguments, String complaint) {
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertThat(BenchMain.run(("network " + arguments).split(" "))).isEqualTo(2);
    } finally {
      System.setErr(before);
    }
    assertThat(said.toString(StandardCharsets.UTF_8)).contains(complaint);
  }
}
