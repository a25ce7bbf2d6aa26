package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.CheckoutCopy;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.Distribution;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lockstep-api}: all of ours that applications and clients of the store compile against. */
class ApiPackageIT {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  /** An artifact in the pom.xml of the jar, with its version. */
  private static final Pattern DEPENDENCY =
      Pattern.compile("<artifactId>([^<*]+)</artifactId>\\s*<version>([^<]+)</version>");

  private static final String CLIENT =
      """
      import io.lockstep.keys.*;
      import io.lockstep.store.client.ClientOptions;
      import io.lockstep.store.typed.*;
      class Client {
        static Store withKeys(StoreAddress address, java.nio.file.Path keys) throws KeysException {
          LinkKeys own = LinkKeys.open(KeyFiles.of(keys), java.time.InstantSource.system());
          return Store.open(address, 42, ClientOptions.of("client"), own);
        }

        static final TableDef<String, Long> PORTS =
            TableDef.of("net.ports", Codec.utf8(), Codec.int64());
        static void put(String address) {
          try (Store store = Store.open(address, 42, PORTS)) {
            store.table(PORTS).put("uplink", 7L).join().throwWhenUnknown().orThrow();
          }
        }
      }
      """;

  @TempDir private static Path directory;
  private static List<Path> made;

  @BeforeAll
  static void make() throws Exception {
    CommandRun run = CheckoutCopy.in(directory).script("package", "api");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    made = run.out().lines().map(Path::of).toList();
    assertThat(made).hasSize(4);
  }

  private static List<String> entries(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream().map(ZipEntry::getName).toList();
    }
  }

  /** The jar, and those of other projects that its pom.xml names. */
  private static String classPath() throws IOException {
    List<String> path = new ArrayList<>(List.of(made.get(0).toString()));
    Path lib = Path.of(Distribution.classPath().replace("/*", ""));
    String pom = Files.readString(made.get(3));
    DEPENDENCY
        .matcher(pom.substring(pom.indexOf("<dependencies>")))
        .results()
        .map(found -> lib.resolve(found.group(1) + "-" + found.group(2) + ".jar"))
        .forEach(
            jar -> {
              assertThat(jar).isRegularFile();
              assertThat(jar.getFileName().toString()).doesNotStartWith("lockstep-");
              path.add(jar.toString());
            });
    assertThat(path).hasSizeGreaterThan(4);
    return String.join(File.pathSeparator, path);
  }

  private static void compile(Path classes, List<Path> sources) throws Exception {
    List<String> line = new ArrayList<>(List.of("--release", "17", "-proc:none", "-Xlint:none"));
    line.addAll(List.of("-cp", classes + File.pathSeparator + classPath(), "-d"));
    line.add(classes.toString());
    sources.forEach(source -> line.add(source.toString()));
    CommandRun run =
        CommandRun.of(
            DEADLINE,
            Map.of(),
            Path.of(Distribution.java()).resolveSibling("javac"),
            line.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  private static List<Path> sources(String of) throws IOException {
    try (Stream<Path> all =
        Files.walk(Distribution.root().resolve("examples/block-list").resolve(of))) {
      return all.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  @Test
  void theExampleCompilesAgainstItAloneAndPassesItsTests() throws Exception {
    Path classes = Files.createDirectory(directory.resolve("block-list"));
    compile(classes, sources("src/main/java"));
    compile(classes, sources("src/test/java"));
    CommandRun run =
        CommandRun.of(
            DEADLINE,
            Map.of(),
            Path.of(Distribution.java()),
            "-ea",
            "-cp",
            classes + File.pathSeparator + classPath(),
            "org.example.blocklist.BlockListTest");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo("5 tests passed\n");
  }

  @Test
  void aClientOfTheStoreCompilesAgainstItAlone() throws Exception {
    Path classes = Files.createDirectory(directory.resolve("client"));
    compile(classes, List.of(Files.writeString(directory.resolve("Client.java"), CLIENT)));
    assertThat(classes.resolve("Client.class")).isRegularFile();
  }

  @Test
  void itHasSourcesAndJavadocOfItsClassesAndNoOthers() throws Exception {
    assertThat(entries(made.get(0)))
        .contains("io/lockstep/core/app/PacketApplication.class", "io/lockstep/store/Bytes.class")
        .noneMatch(name -> name.matches("io/lockstep/(deploy|apps|store/log|openflow)/.*"));
    assertThat(entries(made.get(1)))
        .contains("io/lockstep/core/app/PacketApplication.java", "io/lockstep/store/Bytes.java");
    assertThat(entries(made.get(2))).contains("index.html", "io/lockstep/store/typed/Store.html");
    assertThat(Files.readString(made.get(3))).doesNotContain("@");
  }
}
