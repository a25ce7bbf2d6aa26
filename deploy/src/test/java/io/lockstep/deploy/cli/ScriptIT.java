package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.Distribution;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the script builds and what not, in a copy of this built checkout at another path. */
class ScriptIT {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  /** What the script needs of the machine besides java; Maven is not among it. */
  private static final List<String> TOOLS =
      List.of(
          "awk",
          "bash",
          "cat",
          "cut",
          "dirname",
          "env",
          "find",
          "grep",
          "head",
          "id",
          "mkdir",
          "printf",
          "rm",
          "sed",
          "sha256sum",
          "sort",
          "tail",
          "tr",
          "xargs");

  /** What a build leaves that a copy needs. */
  private static final List<Path> BUILT =
      List.of(Path.of("deploy/target/dist/lib"), Path.of("target/lockstep/product"));

  @TempDir private Path directory;
  private Path copy;
  private Path tools;

  @BeforeEach
  void copy() throws IOException {
    Path root = Distribution.root();
    copy = directory.resolve("elsewhere");
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            Path at = root.relativize(path);
            boolean left = path.endsWith(".git") || path.endsWith("bench/results");
            return left || (at.toString().matches("(.*/)?target(/.*)?") && !leadsToBuilt(at))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes)
              throws IOException {
            Path at = root.relativize(path);
            if (!at.toString().matches("(.*/)?target/.*") || leadsToBuilt(at)) {
              Files.createDirectories(copy.resolve(at).getParent());
              Files.copy(path, copy.resolve(at));
              copy.resolve(at).toFile().setExecutable(Files.isExecutable(path));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    tools = Files.createDirectory(directory.resolve("tools"));
    for (String tool : TOOLS) {
      Files.createSymbolicLink(tools.resolve(tool), CommandRun.locate(tool));
    }
  }

  private static boolean leadsToBuilt(Path at) {
    return BUILT.stream().anyMatch(built -> built.startsWith(at) || at.startsWith(built));
  }

  /**
   * Runs the copy's script on a machine without Maven: what needs a build ends with a complaint.
   */
  private CommandRun script(String... arguments) throws Exception {
    Map<String, String> environment =
        Map.of(
            "PATH",
            tools.toString(),
            "JAVA_HOME",
            Path.of(System.getProperty("java.home", "")).toString());
    return CommandRun.of(DEADLINE, environment, copy.resolve("lockstep"), arguments);
  }

  private void append(String file, String text) throws IOException {
    Files.writeString(copy.resolve(file), text, StandardOpenOption.APPEND);
  }

  @Test
  void aCopyOfABuiltCheckoutRunsWithoutABuild() throws Exception {
    CommandRun run = script("build");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    assertThat(run.err()).doesNotContain("building");
    CommandRun version = script("version");
    assertThat(version.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(version.out()).contains("ockstep");
  }

  @Test
  void aChangedContentIsBuiltAndTheSameContentAgainIsNot() throws Exception {
    String source = "deploy/src/main/java/io/lockstep/deploy/Main.java";
    String before = Files.readString(copy.resolve(source));
    append(source, "// changed\n");
    CommandRun changed = script("build");
    assertThat(changed.exitCode()).isEqualTo(ExitCode.MISSING);
    assertThat(changed.err()).contains("missing on this machine", "Maven");
    Files.writeString(copy.resolve(source), before);
    append("deploy/src/test/java/io/lockstep/deploy/ModuleRulesTest.java", "// a test\n");
    assertThat(script("build").exitCode()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void aJarThatAnotherBuildLeftIsNotTakenForThisOne() throws Exception {
    Path lib = copy.resolve("deploy/target/dist/lib");
    try (var jars = Files.newDirectoryStream(lib, "lockstep-apps-*.jar")) {
      Files.write(jars.iterator().next(), new byte[] {1}, StandardOpenOption.APPEND);
    }
    assertThat(script("build").exitCode()).isEqualTo(ExitCode.MISSING);
  }

  @Test
  void whatAsksRunningNodesNeverBuilds() throws Exception {
    Files.delete(copy.resolve("target/lockstep/product"));
    for (String command : List.of("status", "switch", "explain", "version")) {
      CommandRun run = script(command);
      assertThat(run.exitCode()).as(command).isEqualTo(ExitCode.MISSING);
      assertThat(run.err())
          .contains("nothing is built here yet: run ./lockstep build")
          .doesNotContain("building", "Maven");
    }
  }

  private Map<String, List<String>> keys() throws Exception {
    String line = "root=$1; EXIT_FAILED=1; . \"$root/scripts/content.sh\"; content_keys";
    CommandRun run =
        CommandRun.of(
            DEADLINE,
            Map.of("PATH", tools.toString()),
            tools.resolve("bash"),
            "-c",
            line,
            "keys",
            copy.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out()
        .lines()
        .map(words -> List.of(words.split(" ")))
        .collect(
            Collectors.toMap(
                words -> words.get(0), words -> words.subList(1, 3), (a, b) -> b, TreeMap::new));
  }

  /** Which modules a change concerns: {@code built} by name, or only {@code tested}. */
  private String concernedBy(String file) throws Exception {
    Map<String, List<String>> before = keys();
    append(file, "\n");
    Map<String, List<String>> after = keys();
    return after.entrySet().stream()
        .filter(now -> !now.getValue().equals(before.get(now.getKey())))
        .map(
            now -> {
              boolean main =
                  !now.getValue()
                      .get(0)
                      .equals(before.getOrDefault(now.getKey(), List.of()).get(0));
              return now.getKey() + (main ? "" : ":tests");
            })
        .collect(Collectors.joining(" "));
  }

  @Test
  void aChangeConcernsItsModuleAndThoseThatDependOnIt() throws Exception {
    assertThat(concernedBy("deploy/src/main/java/io/lockstep/deploy/Main.java"))
        .isEqualTo("bench deploy");
    assertThat(concernedBy("deploy/src/test/java/io/lockstep/deploy/ModuleRulesTest.java"))
        .isEqualTo("deploy:tests");
    assertThat(concernedBy("examples/three-nodes/node-1.yaml")).isEqualTo("deploy:tests");
    assertThat(concernedBy("dataplane/pom.xml")).isEqualTo("bench dataplane deploy");
    assertThat(
            concernedBy(
                "southbound-openflow/channel/src/test/java/io/lockstep/openflow/channel/ovs/OpenVSwitch.java"))
        .isEqualTo("deploy:tests southbound-openflow/channel:tests");
    assertThat(concernedBy("README.md")).isEmpty();
    assertThat(keys().keySet()).contains("apps", "datastore", "bench/peer-etcd").hasSize(12);
    append("pom.xml", "\n");
    assertThat(keys()).hasSize(12);
  }
}
