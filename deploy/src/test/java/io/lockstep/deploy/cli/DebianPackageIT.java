package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.CheckoutCopy;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.Distribution;
import io.lockstep.deploy.testbed.NextPackage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Debian package: its bytes, its content, and its service where it is installed. */
class DebianPackageIT {
  /** The test of the guide took six minutes on a machine that was busy with others. */
  private static final Duration DEADLINE = Duration.ofMinutes(25);

  /** How long the installed node may take until it is ready, in seconds. */
  private static final int PATIENCE = 300;

  /** Systemd's measure of what a service may do beyond what it needs, of 10. */
  private static final double MOST_EXPOSURE = 2.0;

  private static final String TOO_EARLY =
      "The cluster is at version 2."
          + " Upgrade the other nodes; until a version is activated, each can go back.";

  private static final Path SCRIPTS = Path.of("src", "test", "resources").toAbsolutePath();

  @TempDir private static Path directory;
  private static CheckoutCopy copy;
  private static Path deb;

  @BeforeAll
  static void make() throws Exception {
    copy = CheckoutCopy.in(directory);
    deb = made();
  }

  private static Path made() throws Exception {
    CommandRun run = copy.script("package", "deb");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    return Path.of(run.out().strip());
  }

  private static boolean has(String tool) {
    return Stream.of("/usr/bin", "/usr/sbin", "/bin", "/sbin")
        .anyMatch(place -> Files.isExecutable(Path.of(place, tool)));
  }

  private static void orSkip(String... tools) {
    List<String> missing = Arrays.stream(tools).filter(tool -> !has(tool)).toList();
    Assumptions.assumeTrue(
        missing.isEmpty(),
        () ->
            "not installed: "
                + String.join(", ", missing)
                + "; as root, ./lockstep test --install gets it");
  }

  private static String dpkgDeb(String... arguments) throws Exception {
    CommandRun run =
        CommandRun.of(DEADLINE, Map.of("TZ", "UTC"), CommandRun.locate("dpkg-deb"), arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void theSameContentGivesTheSameBytesAfterTheDirectoryWasRemoved() throws Exception {
    byte[] first = Files.readAllBytes(deb);
    assertThat(deb.getFileName().toString()).matches("lockstep_[0-9.]+(~SNAPSHOT)?_all\\.deb");
    Path packages = deb.resolveSibling(".").normalize();
    Files.delete(deb);
    Files.delete(packages);
    assertThat(made()).isEqualTo(deb).hasBinaryContent(first);
    try (Stream<Path> beside = Files.list(packages)) {
      assertThat(beside).containsExactly(deb);
    }
  }

  @Test
  void filesLieWhereDebianHasThem() throws Exception {
    orSkip("dpkg-deb");
    String control = dpkgDeb("--info", deb.toString());
    assertThat(control)
        .contains("Package: lockstep\n", "Architecture: all\n")
        .containsPattern("Depends: .*java17-runtime-headless\n")
        .containsPattern("Installed-Size: [1-9][0-9]{3,}\n")
        .contains("postinst", "prerm", "postrm", "conffiles", "md5sums")
        .doesNotContain("@VERSION@", "@KIBIBYTES@");
    List<String> contents = dpkgDeb("--contents", deb.toString()).lines().toList();
    assertThat(contents)
        .as("owners, rights and times")
        .allMatch(
            line ->
                line.matches("(-rw-r--r--|-rwxr-xr-x|drwxr-xr-x|lrwxr.xr.x) (0/0|root/root) .*"))
        .allMatch(line -> line.contains(" 2026-11-20 00:00 "));
    List<String> names =
        contents.stream().map(line -> line.replaceAll("^\\S+ \\S+ +\\d+ \\S+ \\S+ ", "")).toList();
    assertThat(names)
        .contains(
            "./usr/bin/lockstep -> ../lib/lockstep/bin/lockstep",
            "./etc/lockstep/node.yaml",
            "./etc/default/lockstep",
            "./usr/lib/systemd/system/lockstep.service",
            "./usr/lib/lockstep/libexec/commands.sh",
            "./usr/share/bash-completion/completions/lockstep",
            "./usr/share/zsh/vendor-completions/_lockstep",
            "./usr/share/man/man1/lockstep.1.gz",
            "./usr/share/man/man1/lockstep-demo.1.gz",
            "./usr/share/man/man1/lockstep-vip.1.gz",
            "./usr/share/man/man5/lockstep.yaml.5.gz",
            "./usr/share/doc/lockstep/copyright",
            "./usr/share/doc/lockstep/changelog.gz",
            "./usr/share/doc/lockstep/docs/GUIDE.md",
            "./usr/share/doc/lockstep/docs/OPERATING.md",
            "./usr/share/doc/lockstep/examples/three-nodes/node-1.yaml")
        .noneMatch(name -> name.matches("\\./(opt|usr/local|var|home|root|tmp)/.*"));
    assertThat(names.stream().filter(name -> name.matches("\\./usr/lib/lockstep/lib/.*\\.jar")))
        .hasSameSizeAs(jars());
  }

  private static void orSkipViews() {
    orSkip("apt", "adduser", "unshare", "setpriv", "ip", "man", "systemd-analyze", "python3");
    Assumptions.assumeTrue(
        "root".equals(System.getProperty("user.name")), "installing a package needs root");
  }

  /** What a script saw on a view of this machine, where it installed the package and ran it. */
  private static Map<String, String> seenBy(String script, String... arguments) throws Exception {
    orSkipViews();
    List<String> line = new ArrayList<>();
    line.addAll(List.of("--mount", "--net", "--pid", "--fork", "--kill-child", "bash"));
    line.add(SCRIPTS.resolve(script).toString());
    line.addAll(List.of(arguments));
    CommandRun run =
        CommandRun.of(
            DEADLINE,
            Map.of("JAVA_HOME", "", "LOCKSTEP_JAVA", ""),
            CommandRun.locate("unshare"),
            line.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    return run.out()
        .lines()
        .collect(
            Collectors.toMap(
                each -> each.substring(0, each.indexOf('=')),
                each -> each.substring(each.indexOf('=') + 1).strip()));
  }

  private static List<Path> jars() throws IOException {
    try (Stream<Path> jars = Files.list(Path.of(Distribution.classPath().replace("/*", "")))) {
      return jars.toList();
    }
  }

  /**
   * The commands of docs/GUIDE.md as they stand there, on machines with the document's addresses:
   * from the installation to a cluster with two switches of Open vSwitch over TLS, back from a
   * backup, through an upgrade one by one, and to another machine in place of a lost one. No packet
   * on installed entries is lost meanwhile, and nothing that was acknowledged. In place of
   * systemctl a script starts what the unit says: as its user, with its limits and system calls,
   * without capabilities and with all but its own directories read-only.
   */
  @Test
  void theGuideFormsAClusterOfThreeMachines() throws Exception {
    orSkipViews();
    orSkip("ovs-vswitchd", "ovsdb-server", "ovs-vsctl", "ovs-ofctl", "ethtool", "ping");
    Path guide = Files.createDirectory(directory.resolve("guide"));
    write(guide, fenced("## 1.", "## 5."), "install", "keys", "start", "node.yaml", "look");
    write(guide, fenced("## 5.", "## 6."), "switchkeys", "switch");
    write(guide, fenced("## 6.", "## 7."), "domains", "flows");
    write(guide, fenced("## 8.", "## Replacing a machine"), "backup", "stop", "restore");
    write(
        guide,
        fenced("## Replacing a machine", "## Upgrading"),
        "replace",
        "newkeys",
        "member",
        "controllers");
    write(guide, fenced("## Upgrading", "## Keys"), "restart", "versions");
    String base = bareSystem();
    Path next = NextPackage.make(Files.createDirectory(directory.resolve("next")));
    Map<String, String> seen =
        seenBy(
            "three-machines.sh",
            deb.toString(),
            next.toString(),
            guide.toString(),
            "" + PATIENCE,
            base);
    assertThat(seen)
        .containsKeys("ready1", "ready2", "ready3")
        .containsEntry("asked", "0 yes operational")
        .containsEntry("look", "3")
        .containsEntry("switches", "secure ssl:10.0.0.1:6653 ssl:10.0.0.2:6653 ssl:10.0.0.3:6653")
        .containsEntry("domains", "north west")
        .containsEntry("path", "dns is installed")
        .containsEntry("entries", "8")
        .containsEntry("missing6", "")
        .containsEntry("missing7", "")
        .containsEntry("backup", "cluster campus")
        .containsEntry("restored", "north west")
        .containsEntry("status", "install ok installed")
        .containsEntry("enabled", "enabled")
        .containsEntry("state", "lockstep:lockstep 750")
        .containsEntry("changed", "??5?????? c /etc/lockstep/node.yaml")
        .containsEntry("verify", "")
        .containsEntry(
            "activated3", "The cluster is at version 2, the newest that every node knows.")
        .containsEntry("activated2", TOO_EARLY)
        .containsEntry("activated1", TOO_EARLY)
        .containsEntry("activated", "The cluster is at version 3.")
        .containsEntry("releases", NextPackage.NUMBER + " 3")
        .containsEntry("upgraded", "cluster: campus node: n3")
        .containsEntry("replaced", "north west")
        .containsEntry("returned", "refused")
        .containsEntry("ended", "143")
        .containsEntry("without", "quorum")
        .containsEntry(
            "removed", "/etc/lockstep/keys /etc/lockstep/node.yaml /var/lib/lockstep/promise")
        .containsEntry("purged", "");
    assertThat(seen.get("user")).endsWith(":/var/lib/lockstep:/usr/sbin/nologin");
    assertThat(Double.parseDouble(seen.getOrDefault("exposure", "10")))
        .isLessThanOrEqualTo(MOST_EXPOSURE);
    if (base.isEmpty()) {
      assertThat(seen.get("page")).endsWith("/lockstep-status.1.gz");
    }
    assertThat(seen.get("lost")).as("acknowledged writes").matches("0 of [1-9]\\d+");
    for (String host : List.of("h1", "h3")) {
      assertThat(seen.get("packets-" + host))
          .as("on installed entries")
          .matches("[1-9]\\d+ sent, 0 lost");
    }
    assertThat(seen.get("identity"))
        .as("its user, no capability, now and later, and a filter of system calls")
        .matches("([1-9]\\d*) \\1 \\1 \\1 0{16} 0{16} 1 2");
  }

  /**
   * The directory of a bare Debian for the servers; it is made once in the user's cache. Empty,
   * with a line about the reason, where it cannot be had: then the servers are views of this
   * machine.
   */
  private static String bareSystem() throws Exception {
    String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
    Path directory =
        (cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache))
            .resolve("lockstep");
    CommandRun run =
        CommandRun.of(
            DEADLINE,
            Map.of(),
            CommandRun.locate("bash"),
            SCRIPTS.resolve("base-system.sh").toString(),
            directory.toString());
    if (run.exitCode() == ExitCode.MISSING) {
      System.out.println(
          "DebianPackageIT: the servers are views of this machine; " + run.lastLine());
      return "";
    }
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out().strip();
  }

  private static void write(Path guide, List<List<String>> blocks, String... names)
      throws IOException {
    assertThat(blocks).as(String.join(", ", names)).hasSameSizeAs(names);
    for (int i = 0; i < names.length; i++) {
      Files.write(guide.resolve(names[i]), blocks.get(i));
    }
  }

  /** The fenced blocks of docs/GUIDE.md between two headings, each given by how it begins. */
  private static List<List<String>> fenced(String from, String to) throws IOException {
    List<List<String>> blocks = new ArrayList<>();
    boolean inPart = false;
    boolean inBlock = false;
    for (String line : Files.readAllLines(Distribution.root().resolve("docs/GUIDE.md"))) {
      if (!inBlock && line.startsWith("## ")) {
        inPart = line.startsWith(from) || (inPart && !line.startsWith(to));
      } else if (line.startsWith("```")) {
        inBlock = !inBlock;
        if (inBlock && inPart) {
          blocks.add(new ArrayList<>());
        }
      } else if (inBlock && inPart) {
        blocks.get(blocks.size() - 1).add(line);
      }
    }
    return blocks;
  }

  /**
   * Each instruction of the Dockerfile, on this machine's own files in place of the base image, and
   * what it starts. No container engine takes part.
   */
  @Test
  void theContainersFileMakesWhatBecomesHealthy() throws Exception {
    Assumptions.assumeTrue(
        Files.readString(Path.of("/etc/os-release")).contains("VERSION_CODENAME=bookworm"),
        "this machine is not the release of Debian that the Dockerfile names");
    Map<String, String> seen =
        seenBy(
            "container-image.sh",
            Distribution.root().resolve("deploy/container/Dockerfile").toString(),
            deb.resolveSibling(".").normalize().toString(),
            "" + PATIENCE);
    assertThat(seen)
        .containsEntry("live", "yes")
        .containsEntry("ready", "yes")
        .containsEntry("volume", "lockstep:lockstep 750")
        .containsEntry("left", "")
        .containsEntry("ended", "143")
        .containsEntry("dead", "nothing listens on 127.0.0.1:8181: does the node run?");
    assertThat(seen.get("user")).startsWith("lockstep:x:7100:7100:");
    assertThat(seen.get("identity"))
        .as("not root, no capability")
        .isEqualTo("7100 7100 7100 7100 0000000000000000 0000000000000000 1 0");
  }
}
