package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.CheckoutCopy;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.Tools;
import io.lockstep.deploy.testbed.UnpackedPackage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./lockstep package} makes, and what its script does on a machine that has Java. */
class PackageIT {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");

  @TempDir private static Path directory;
  private static CheckoutCopy copy;
  private static UnpackedPackage unpacked;

  @BeforeAll
  static void makeAndUnpack() throws Exception {
    copy = CheckoutCopy.in(directory);
    unpacked = UnpackedPackage.of(copy, directory);
  }

  @AfterAll
  static void letItGo() {
    unpacked.close();
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void theSameContentGivesTheSameBytes() throws Exception {
    byte[] first = Files.readAllBytes(unpacked.archive());
    // The times of files, and what nodes left beside the examples, are not content.
    Path example = copy.root().resolve("examples/three-nodes");
    Files.setLastModifiedTime(example.resolve("node-1.yaml"), FileTime.fromMillis(1_000_000));
    Files.createDirectories(example.resolve("data/n1"));
    CommandRun again = copy.script("package", "archive");
    assertThat(again.exitCode()).as(again.err()).isEqualTo(ExitCode.DONE);
    assertThat(again.out()).isEqualTo(unpacked.archive() + "\n");
    assertThat(again.err()).contains(first.length + " bytes, sha256 ");
    assertThat(Files.readAllBytes(unpacked.archive())).isEqualTo(first);
    assertThat(names(copy.root().resolve("deploy/target/packages")))
        .containsExactly(unpacked.archive().getFileName().toString());
  }

  @Test
  void anArchiveThatCannotBeWrittenWholeReplacesNone() throws Exception {
    byte[] first = Files.readAllBytes(unpacked.archive());
    Path gzip = copy.tools().directory().resolve("gzip");
    try {
      // What compresses the man pages works; what writes the archive does not.
      String working = "[ $# = 1 ] || exec " + CommandRun.locate("gzip") + " \"$@\"\n";
      copy.tools().put("gzip", working + "printf half; exit 1");
      CommandRun run = copy.script("package", "archive");
      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.err()).contains("cannot write");
      assertThat(run.out()).isEmpty();
      assertThat(Files.readAllBytes(unpacked.archive())).isEqualTo(first);
      assertThat(names(copy.root().resolve("deploy/target/packages"))).hasSize(1);
    } finally {
      Files.delete(gzip);
      Files.createSymbolicLink(gzip, CommandRun.locate("gzip"));
    }
  }

  @Test
  void itHoldsAllJarsAndWhatItsDocumentsReferTo() throws Exception {
    Path home = unpacked.home();
    assertThat(names(home.resolve("lib")))
        .isEqualTo(names(copy.root().resolve("deploy/target/dist/lib")));
    assertThat(names(home.resolve("examples/three-nodes")))
        .containsExactly("node-1.yaml", "node-2.yaml", "node-3.yaml");
    assertThat(home.resolve("examples/block-list/build.sh")).isExecutable();
    assertThat(home.resolve("LICENSE")).hasSameBinaryContentAs(copy.root().resolve("LICENSE"));
    assertThat(names(home.resolve("examples/systemd")))
        .containsExactly("lockstep.default", "lockstep.service", "node.yaml");
    assertThat(home.resolve("libexec/health")).isExecutable();
    for (String document :
        List.of(
            "README.md",
            "docs/APPLICATIONS.md",
            "docs/GUIDE.md",
            "docs/LARGE_NETWORKS.md",
            "docs/LOAD_BALANCER.md",
            "docs/ONOS_REST.md",
            "docs/OPERATING.md",
            "docs/RUNBOOK.md",
            "docs/SCALE.md",
            "docs/STORE_ACCESS.md",
            "docs/SWITCHES.md",
            "docs/SWITCH_PROFILES.md",
            "docs/TRACES.md")) {
      Path file = home.resolve(document);
      assertThat(LINK.matcher(Files.readString(file)).results().map(link -> link.group(1)))
          .as(document)
          .isNotEmpty()
          .allSatisfy(link -> assertThat(file.resolveSibling(link).normalize()).exists());
    }
  }

  @Test
  void itHasAPageForEachCommandAndCompletesThem() throws Exception {
    Path share = unpacked.home().resolve("share");
    assertThat(names(share.resolve("man/man1")))
        .contains("lockstep.1.gz", "lockstep-node.1.gz", "lockstep-demo.1.gz", "lockstep-vip.1.gz");
    assertThat(names(share.resolve("man/man5"))).containsExactly("lockstep.yaml.5.gz");
    assertThat(share.resolve("zsh/site-functions/_lockstep")).isRegularFile();
    String asked =
        """
        . "$0"
        COMP_WORDS=(lockstep dem) COMP_CWORD=1
        _complete_lockstep
        printf '%s ' "${COMPREPLY[@]}"
        COMP_WORDS=(lockstep domain '') COMP_CWORD=2
        _complete_lockstep
        printf '%s ' "${COMPREPLY[@]}"
        """;
    CommandRun run =
        CommandRun.of(
            DEADLINE,
            Map.of(),
            CommandRun.locate("bash"),
            "-c",
            asked,
            share.resolve("bash-completion/completions/lockstep").toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().split(" ")).contains("demo", "show", "set", "add", "remove");
  }

  @Test
  void itRunsThroughLinksAndWritesNothingIntoItsDirectory() throws Exception {
    Map<String, String> before = unpacked.contents();
    Path link = directory.resolve("lockstep-link");
    Files.createSymbolicLink(link, directory.relativize(unpacked.home().resolve("lockstep")));
    Path second = directory.resolve("lockstep-second");
    Files.createSymbolicLink(second, link);
    CommandRun version = CommandRun.of(DEADLINE, unpacked.tools().environment(), second, "version");
    assertThat(version.exitCode()).as(version.err()).isEqualTo(ExitCode.DONE);
    String name = unpacked.home().getFileName().toString();
    assertThat(version.out()).startsWith(name.replace('-', ' ').replace(" SNAPSHOT", "-SNAPSHOT"));
    CommandRun check =
        unpacked.script(
            "node",
            "--check",
            "--config",
            unpacked.home().resolve("examples/three-nodes/node-1.yaml").toString());
    assertThat(check.exitCode()).as(check.err()).isEqualTo(ExitCode.DONE);
    assertThat(unpacked.contents()).isEqualTo(before);
  }

  @Test
  void itHasTheCommandsOfAnOperator() throws Exception {
    CommandRun help = unpacked.script("help");
    assertThat(help.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(help.out())
        .contains(
            "demo ", "emulate ", "node ", "replica ", "status ", "domain ", "switch ", "explain ")
        .contains(
            "app ", "store ", "completion ", "version ", unpacked.home().resolve("docs").toString())
        .doesNotContain("bench", "check     ", "--install");
    for (String command : List.of("build", "check", "test", "bench", "package")) {
      CommandRun run = unpacked.script(command);
      assertThat(run.exitCode()).as(command).isEqualTo(ExitCode.USAGE);
      assertThat(run.err()).contains("'" + command + "'", "only a checkout has it");
    }
    CommandRun unknown = unpacked.script("statsu");
    assertThat(unknown.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(unknown.err()).contains("unknown command 'statsu'", "did you mean 'status'?");
    CommandRun option = unpacked.script("node", "--config", "x.yaml", "--confg");
    assertThat(option.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(option.err()).contains("Unknown option: '--confg'");
  }

  @Test
  void withoutAJavaThatFitsItSaysWhatItFoundAndWhatToDo() throws Exception {
    Path script = unpacked.home().resolve("bin/lockstep");
    Tools tools = Tools.in(directory.resolve("no java"), UnpackedPackage.TOOLS);
    CommandRun none = CommandRun.of(DEADLINE, tools.environment(), script, "status");
    assertThat(none.exitCode()).isEqualTo(ExitCode.MISSING);
    assertThat(none.err())
        .contains("JAVA_HOME: not set", "PATH: has no java", "remedy: install a JRE 17 or newer");
    tools.put("java", "echo 'openjdk version \"11.0.2\" 2019-01-15' >&2");
    CommandRun old = CommandRun.of(DEADLINE, tools.environment(), script, "status");
    assertThat(old.exitCode()).isEqualTo(ExitCode.MISSING);
    assertThat(old.err()).contains("/java has version 11.0.2", "remedy: install a JRE 17 or newer");
    assertThat(old.out()).isEmpty();
  }

  @Test
  void aScriptThatWasCopiedOutOfThePackageSaysSo() throws Exception {
    Path bin = Files.createDirectories(directory.resolve("local/bin"));
    Path copied = Files.copy(unpacked.home().resolve("bin/lockstep"), bin.resolve("lockstep"));
    CommandRun run = CommandRun.of(DEADLINE, unpacked.tools().environment(), copied, "version");
    assertThat(run.exitCode()).isEqualTo(ExitCode.MISSING);
    assertThat(run.err()).contains("is not in its package", "link to its bin/lockstep");
  }
}
