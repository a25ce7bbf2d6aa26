package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.Distribution;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ConfigCommandTest {
  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine line = LockstepCommand.line();
    return line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
  }

  @Test
  void eachValueInEffectHasItsOrigin() throws Exception {
    Path example = Distribution.root().resolve("examples/three-nodes/node-1.yaml");
    assertThat(run("config", "check", example.toString(), "-o", "json")).isEqualTo(ExitCode.DONE);
    JsonNode shown = new ObjectMapper().readTree(out.toString());
    assertThat(shown.path("schema").asText()).isEqualTo("lockstep.config/1");
    int ofTheFile = 0;
    int usual = 0;
    for (JsonNode row : shown.path("items")) {
      String origin = row.path("origin").asText();
      usual += origin.equals("default") ? 1 : 0;
      if (!origin.equals("default")) {
        assertThat(origin).matches(".*node-1.yaml:[1-9][0-9]*");
        int line = Integer.parseInt(origin.substring(origin.lastIndexOf(':') + 1));
        String key = row.path("key").asText().replaceAll(".*[.]", "").replaceAll("\\[.*", "");
        assertThat(Files.readAllLines(example).get(line - 1)).as(row.toString()).contains(key);
        ofTheFile++;
      }
    }
    assertThat(ofTheFile).isGreaterThan(5);
    assertThat(usual).isGreaterThan(10);
    assertThat(out.toString()).contains("timeouts.leaseMillis", "cluster");
  }

  @Test
  void aBrokenFileIsNamedWithPlaceAndRemedy() throws Exception {
    Path file = Files.writeString(directory.resolve("n.yaml"), "cluster: demo\nnodee: n1\n");
    assertThat(run("config", "check", file.toString())).isEqualTo(ExitCode.NEEDS_PERSON);
    assertThat(err.toString()).contains("n.yaml:2", "nodee", "did you mean 'node'?");
    assertThat(out.toString()).isEmpty();
  }
}
