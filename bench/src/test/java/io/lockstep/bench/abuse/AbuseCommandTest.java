package io.lockstep.bench.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.abuse.AbuseRun.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command without nodes. */
class AbuseCommandTest {
  @TempDir private Path directory;

  private static Outcome contained(Attack attack) {
    return new Outcome(AbusePoint.of(attack, 5, 0, 0, 1, 1, 30, 30, 0), "");
  }

  private int run(AbuseCommand.Runner runner, Path out) {
    return new CommandLine(new AbuseCommand(runner))
        .execute("--attacks", "errors,http-drip,lost-entries", "--out", out.toString());
  }

  @Test
  void attackThatCannotBeMeasuredIsNotContainedAndTheOthersGoOn() throws Exception {
    Path out = directory.resolve("abuse.json");
    int exitCode =
        run(
            (attack, nodes, seconds) ->
                attack.label().equals("http-drip")
                    ? new Outcome(AbusePoint.unmeasured(attack, 80, 1), "no node masters it")
                    : contained(attack),
            out);
    JsonNode points = new ObjectMapper().readTree(out.toFile());
    assertThat(points.findValuesAsText("attack"))
        .containsExactly("errors", "http-drip", "lost-entries");
    assertThat(points.findValuesAsText("contained")).containsExactly("true", "false", "true");
    assertThat(points).allSatisfy(point -> assertThat(point).noneMatch(JsonNode::isNull));
    assertThat(points.get(1).path("sent").asLong()).isEqualTo(80);
    assertThat(points.get(1).path("nodeRestarts").asInt()).isEqualTo(1);
    assertThat(Files.readString(directory.resolve("abuse.failures.txt")))
        .isEqualTo("http-drip: no node masters it\n");
    assertThat(exitCode).isEqualTo(1);
  }

  @Test
  void runInWhichAllIsContainedEndsWithNought() {
    Path out = directory.resolve("abuse.json");
    assertThat(run((attack, nodes, seconds) -> contained(attack), out)).isZero();
    assertThat(directory.resolve("abuse.failures.txt")).doesNotExist();
  }

  /** Where the nodes cannot even be started, the reason is kept and the command is not ended. */
  @Test
  void failureOfARunIsAnOutcome() throws Exception {
    Path file = Files.createFile(directory.resolve("no-directory"));
    Outcome outcome = new AbuseRun(Attack.ALL.get(0), file.resolve("below"), 1).run();
    assertThat(outcome.point().contained()).isFalse();
    assertThat(outcome.failure()).contains("no-directory");
  }
}
