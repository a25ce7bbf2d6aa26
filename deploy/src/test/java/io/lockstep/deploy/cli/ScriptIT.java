package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.CheckoutCopy;
import io.lockstep.deploy.testbed.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the script builds and what not, in a copy of this built checkout at another path. */
class ScriptIT {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  @TempDir private static Path directory;
  private static CheckoutCopy copy;

  /** What a test wrote over, and what was there. */
  private final Map<Path, byte[]> before = new LinkedHashMap<>();

  @BeforeAll
  static void copyTheCheckout() throws IOException {
    copy = CheckoutCopy.in(directory);
  }

  @AfterEach
  void putBack() throws IOException {
    for (Map.Entry<Path, byte[]> file : before.entrySet()) {
      Files.write(file.getKey(), file.getValue());
    }
  }

  private void remember(Path file) throws IOException {
    if (!before.containsKey(file)) {
      before.put(file, Files.readAllBytes(file));
    }
  }

  private static CommandRun script(String... arguments) throws Exception {
    return copy.script(arguments);
  }

  private void append(String file, String text) throws IOException {
    remember(copy.root().resolve(file));
    Files.writeString(copy.root().resolve(file), text, StandardOpenOption.APPEND);
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
    append(source, "// changed\n");
    CommandRun changed = script("build");
    assertThat(changed.exitCode()).isEqualTo(ExitCode.MISSING);
    assertThat(changed.err()).contains("missing on this machine", "Maven");
    putBack();
    append("deploy/src/test/java/io/lockstep/deploy/ModuleRulesTest.java", "// a test\n");
    assertThat(script("build").exitCode()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void aJarThatAnotherBuildLeftIsNotTakenForThisOne() throws Exception {
    Path lib = copy.root().resolve("deploy/target/dist/lib");
    try (var jars = Files.newDirectoryStream(lib, "lockstep-apps-*.jar")) {
      Path jar = jars.iterator().next();
      remember(jar);
      Files.write(jar, new byte[] {1}, StandardOpenOption.APPEND);
    }
    assertThat(script("build").exitCode()).isEqualTo(ExitCode.MISSING);
  }

  @Test
  void whatAsksRunningNodesNeverBuilds() throws Exception {
    Path product = copy.root().resolve("target/lockstep/product");
    remember(product);
    Files.delete(product);
    for (String command :
        List.of("status", "domain", "switch", "explain", "app", "completion", "version")) {
      CommandRun run = script(command);
      assertThat(run.exitCode()).as(command).isEqualTo(ExitCode.MISSING);
      assertThat(run.err())
          .contains("nothing is built here yet: run ./lockstep build")
          .doesNotContain("building", "Maven");
    }
  }

  @Test
  void withoutTheDemosJarNothingIsTakenForBuilt() throws Exception {
    Path lib = copy.root().resolve("deploy/target/dist/lib");
    try (var jars = Files.newDirectoryStream(lib, "lockstep-demo-*.jar")) {
      Path jar = jars.iterator().next();
      remember(jar);
      Files.delete(jar);
    }
    CommandRun status = script("status");
    assertThat(status.exitCode()).isEqualTo(ExitCode.MISSING);
    assertThat(status.err()).contains("nothing is built here yet");
    CommandRun demo = script("demo", "--ci");
    assertThat(demo.exitCode()).isEqualTo(ExitCode.MISSING);
    assertThat(demo.err()).contains("missing on this machine", "Maven");
  }

  /** The keys of all modules: {@code main} and {@code all}. */
  private static Map<String, List<String>> keys() throws Exception {
    String line = "root=$1; EXIT_FAILED=1; . \"$root/scripts/content.sh\"; content_keys";
    CommandRun run =
        CommandRun.of(
            DEADLINE,
            copy.tools().environment(),
            copy.tools().directory().resolve("bash"),
            "-c",
            line,
            "keys",
            copy.root().toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out()
        .lines()
        .map(words -> List.of(words.split(" ")))
        .collect(
            Collectors.toMap(
                words -> words.get(0), words -> words.subList(1, 3), (a, b) -> b, TreeMap::new));
  }

  /** The modules that are to be built anew after a change, and those only {@code :tested}. */
  private static String concerned(Map<String, List<String>> then, Map<String, List<String>> now) {
    StringBuilder concerned = new StringBuilder();
    now.forEach(
        (module, keys) -> {
          List<String> before = then.getOrDefault(module, List.of("", ""));
          if (!keys.equals(before)) {
            boolean built = !keys.get(0).equals(before.get(0));
            concerned.append(' ').append(module).append(built ? "" : ":tested");
          }
        });
    return concerned.toString().strip();
  }

  @Test
  void aChangeConcernsItsModuleAndThoseThatDependOnIt() throws Exception {
    Map<String, List<String>> first = keys();
    assertThat(first.keySet()).contains("apps", "datastore", "bench/peer-etcd").hasSize(18);
    append("deploy/src/test/java/io/lockstep/deploy/ModuleRulesTest.java", "\n");
    append("README.md", "\n");
    Map<String, List<String>> second = keys();
    assertThat(concerned(first, second)).isEqualTo("demo:tested deploy:tested");
    append("examples/three-nodes/node-1.yaml", "\n");
    Map<String, List<String>> third = keys();
    assertThat(concerned(second, third)).isEqualTo("demo:tested deploy:tested");
    append("dataplane/pom.xml", "\n");
    Map<String, List<String>> fourth = keys();
    assertThat(concerned(third, fourth))
        .isEqualTo("bench bench/runs dataplane demo deploy history");
    append(
        "southbound-openflow/channel/src/test/java/io/lockstep/openflow/channel/ovs/OpenVSwitch.java",
        "\n");
    Map<String, List<String>> fifth = keys();
    assertThat(concerned(fourth, fifth))
        .as("test-jars")
        .isEqualTo("bench:tested demo:tested deploy:tested southbound-openflow/channel:tested");
    append("demo/pom.xml", "\n");
    Map<String, List<String>> sixth = keys();
    assertThat(concerned(fifth, sixth)).isEqualTo("demo");
    append(".mvn/jvm.config", "\n");
    assertThat(concerned(sixth, keys()).split(" ")).hasSize(18).doesNotContain("tested");
  }
}
