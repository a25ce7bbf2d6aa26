package io.lockstep.demo.emulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.topology.GeneratedTopology;
import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.CheckoutCopy;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.ShellDocument;
import io.lockstep.deploy.testbed.ShellDocument.Step;
import io.lockstep.deploy.testbed.UnpackedPackage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows docs/LARGE_NETWORKS.md of an unpacked package: three nodes, domains, and an emulated
 * network. Only ports, the directory and the size differ from the document. While the network runs,
 * the nodes know all switches, masters and links, and one node is killed.
 */
@SuppressWarnings("NullAway.Init") // the test sets the fields
class LargeNetworksDocIT {
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final int ASK_MILLIS = 10_000;
  private static final int NODES = 3;
  private static final int SWITCHES = 100;

  @TempDir private Path directory;

  private PortBlock ports;
  private Map<String, String> environment;
  private Path home;

  private int port(int node, int number) {
    return ports.port(number + 7 * node);
  }

  private String admin(int node) {
    return "127.0.0.1:" + port(node, 5);
  }

  /** With ports, directory and size of this test. */
  private String here(String commands) {
    StringBuilder edit = new StringBuilder("sed -i");
    String text = commands;
    for (int node = 0; node < NODES; node++) {
      edit.append(moved(7100 + 100 * node, port(node, 1)));
      edit.append(moved(6653 + node, port(node, 4)));
      edit.append(moved(8181 + node, port(node, 5)));
      text = text.replace("127.0.0.1:" + (6653 + node), "127.0.0.1:" + port(node, 4));
    }
    return text.replace("\nfor n in", "\n" + edit + " /tmp/large/*.yaml\nfor n in")
        .replace("/tmp/large", directory.resolve("large").toString())
        .replace("random:400", "random:" + SWITCHES)
        .replace("domain show", "domain show -e " + admin(0))
        .replace("domain set", "domain set -e " + admin(0));
  }

  private static String moved(int from, int to) {
    return " -e 's/: " + from + "}/: " + to + "}/'";
  }

  private ProcessBuilder shell(String commands) {
    ProcessBuilder shell =
        new ProcessBuilder("/bin/sh", "-euc", "cd '" + home + "'\n" + here(commands));
    shell.environment().putAll(environment);
    return shell;
  }

  private void run(Step step) throws Exception {
    CommandRun run =
        CommandRun.of(
            DEADLINE,
            environment,
            Path.of("/bin/sh"),
            "-euc",
            "cd '" + home + "'\n" + here(step.commands()));
    assertThat(run.exitCode()).as(step.commands() + run.err()).isEqualTo(ExitCode.DONE);
    for (String line : step.expected()) {
      assertThat(run.out()).as(step.commands() + run.err()).contains(line);
    }
  }

  private NodeReport report(int node) throws IOException {
    return new AdminClient(admin(node), ASK_MILLIS).report();
  }

  private boolean allKnown(int links) throws IOException {
    long mastered = 0;
    for (int node = 0; node < NODES; node++) {
      NodeReport report = report(node);
      mastered += report.switches().stream().filter(one -> one.role().equals("master")).count();
      if (report.links().size() != 2 * links) {
        return false;
      }
    }
    return mastered == SWITCHES;
  }

  private Path pidFile(int node) {
    return directory.resolve("large/node-" + (node + 1) + ".pid");
  }

  private long pid(int node) throws IOException {
    Path file = pidFile(node);
    return Files.exists(file) ? Long.parseLong(Files.readString(file).strip()) : 0;
  }

  private void endNodes() throws IOException {
    for (int node = 0; node < NODES; node++) {
      ProcessHandle.of(pid(node)).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void theDocumentLeadsToANetworkThatThreeNodesMaster() throws Exception {
    try (UnpackedPackage unpacked = UnpackedPackage.of(CheckoutCopy.in(directory), directory);
        PortBlock block = PortBlock.take()) {
      ports = block;
      home = unpacked.home();
      environment =
          Map.of(
              "JAVA_HOME",
              System.getProperty("java.home", ""),
              "PATH",
              Path.of(System.getProperty("java.home", ""), "bin") + ":/usr/bin:/bin");
      List<Step> steps = ShellDocument.steps(home.resolve("docs/LARGE_NETWORKS.md"));
      assertThat(steps).hasSize(4);
      run(steps.get(0));
      run(steps.get(1));
      emulate(steps.get(2));
      Files.delete(pidFile(0));
      run(steps.get(3));
    } finally {
      endNodes();
    }
  }

  /** Runs the network until all is known, loses a node, and ends as with Ctrl-C. */
  private void emulate(Step step) throws Exception {
    int links = GeneratedTopology.parse("random:" + SWITCHES).build().links().size();
    Path out = directory.resolve("out.txt");
    Path err = directory.resolve("err.txt");
    String command =
        step.commands()
            .replace("./lockstep", "exec ./lockstep")
            .replace("--seconds 60", "--seconds 600");
    Process emulator =
        shell(command)
            .redirectOutput(Redirect.to(out.toFile()))
            .redirectError(Redirect.to(err.toFile()))
            .start();
    try {
      awaitLine(err, "all " + SWITCHES + " switches are connected to all controllers");
      awaitLine(err, "all " + SWITCHES + " switches have a master");
      Await.until(
          "every switch has a master and the nodes know " + 2 * links + " links",
          DEADLINE,
          () -> allKnown(links),
          () -> text(err));
      awaitLine(err, "pings are answered");
      ProcessHandle.of(pid(0)).orElseThrow().destroyForcibly();
      awaitLine(err, "127.0.0.1:" + port(0, 4) + " has 0 of " + SWITCHES + " switches: ");
      awaitLine(err, "all switches have a master again: ");
    } finally {
      emulator.destroy();
      if (!emulator.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
        emulator.destroyForcibly();
      }
    }
    for (String line : step.expected()) {
      assertThat(text(out)).as(text(err)).contains(line.replace("400", "" + SWITCHES));
    }
    assertThat(text(out)).containsPattern("pings: [0-9]+ sent, [1-9][0-9]* answered");
  }

  private static void awaitLine(Path file, String part) {
    Await.until(part, DEADLINE, () -> text(file).contains(part), () -> text(file));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + file, e);
    }
  }
}
