package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.Distribution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The container's file and the examples for Compose, Kubernetes and Ansible pass their tools. */
class DeployChecksIT {
  private static final Duration DEADLINE = Duration.ofMinutes(3);
  private static final Path SCRIPT = Distribution.root().resolve("scripts/check-deploy.sh");

  private static final List<String> FILES =
      List.of(
          "deploy/container/Dockerfile",
          "examples/compose/compose.yaml",
          "examples/kubernetes/lockstep.yaml",
          "examples/ansible/playbook.yaml",
          "examples/ansible/inventory.ini",
          "examples/ansible/templates/node.yaml.j2");

  @TempDir private Path directory;

  @BeforeAll
  static void orSkip() throws Exception {
    CommandRun tools = CommandRun.of(DEADLINE, Map.of(), SCRIPT, "--tools");
    Assumptions.assumeTrue(
        tools.exitCode() == ExitCode.DONE,
        () -> tools.out().strip() + "; scripts/check-deploy.sh --install gets it");
  }

  private static CommandRun check(Path checkout, List<String> lockstep) throws Exception {
    List<String> line = new ArrayList<>(List.of(checkout.toString()));
    line.addAll(lockstep);
    return CommandRun.of(DEADLINE, Map.of(), SCRIPT, line.toArray(String[]::new));
  }

  @Test
  void allOfThemPassAndNodesAcceptTheirConfigurations() throws Exception {
    CommandRun run = check(Distribution.root(), CommandRun.line("-Xmx64m"));
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    assertThat(run.out())
        .contains(
            "ok      Dockerfile",
            "ok      compose.yaml",
            "ok      lockstep.yaml",
            "ok      playbook.yaml");
    assertThat(run.out())
        .contains(
            "ok      compose-n1.yaml", "ok      kubernetes-0.yaml", "ok      ansible-n1.yaml");
  }

  private void copyWith(String file, String text, String replacement) throws IOException {
    Path copy = directory.resolve(file);
    String content = Files.readString(copy);
    assertThat(content).contains(text);
    Files.writeString(copy, content.replace(text, replacement));
  }

  @Test
  void whatIsWrongIsFoundInEach() throws Exception {
    for (String file : FILES) {
      Files.createDirectories(directory.resolve(file).getParent());
      Files.copy(Distribution.root().resolve(file), directory.resolve(file));
    }
    copyWith("deploy/container/Dockerfile", "FROM debian:bookworm-slim", "FROM debian:latest");
    copyWith("examples/compose/compose.yaml", "stop_grace_period: 30s", "stop_graceperiod: 30s");
    copyWith("examples/kubernetes/lockstep.yaml", "maxUnavailable: 1", "mostUnavailable: 1");
    copyWith("examples/ansible/playbook.yaml", "ansible.builtin.apt:", "ansible.builtin.apd:");
    copyWith("examples/ansible/templates/node.yaml.j2", "{{ node }}", "{{ nodde }}");
    CommandRun run = check(directory, List.of("true"));
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.out().lines().filter(line -> line.startsWith("FAILED  "))).hasSize(7);
    assertThat(run.out())
        .contains("DL3007", "stop_graceperiod", "mostUnavailable", "ansible.builtin.apd", "nodde");
  }
}
