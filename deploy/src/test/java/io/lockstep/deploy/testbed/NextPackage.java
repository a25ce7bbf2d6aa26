package io.lockstep.deploy.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The Debian package of the release after this one, as a developer would make it: of a copy of this
 * checkout in which the product has another number and knows one more version of the cluster.
 */
public final class NextPackage {
  /** The number of that release: newer than any of today. */
  public static final String NUMBER = "99.0.0";

  /** The version of the cluster that it knows and this release does not. */
  public static final int CLUSTER_VERSION = 3;

  private static final Duration DEADLINE = Duration.ofMinutes(1);
  private static final Path RELEASE = Path.of("io", "lockstep", "store", "Release.java");
  private static final String MANIFEST = "META-INF/MANIFEST.MF";

  private NextPackage() {}

  /**
   * Makes it.
   *
   * @param directory an empty one, for the copy
   * @return the package
   */
  public static Path make(Path directory) throws IOException, InterruptedException {
    CheckoutCopy copy = CheckoutCopy.in(directory);
    Path lib = copy.root().resolve("deploy/target/dist/lib");
    knowMore(copy.root(), jar(lib, "lockstep-datastore"));
    renumber(jar(lib, "lockstep-deploy"));
    // What is in dist now is what the sources give, as far as the copy's script is concerned.
    String line =
        "root=$1; . \"$root/scripts/content.sh\"; . \"$root/scripts/build.sh\"; note_product";
    CommandRun noted =
        CommandRun.of(
            DEADLINE,
            copy.tools().environment(),
            copy.tools().directory().resolve("bash"),
            "-euc",
            line,
            "note",
            copy.root().toRealPath().toString());
    assertThat(noted.exitCode()).as(noted.err()).isZero();
    CommandRun made = copy.script("package", "deb");
    assertThat(made.exitCode()).as(made.err()).isZero();
    return Path.of(made.out().strip());
  }

  private static Path jar(Path lib, String artifact) throws IOException {
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(lib, artifact + "-[0-9]*.jar")) {
      return jars.iterator().next();
    }
  }

  private static FileSystem inside(Path jar) throws IOException {
    return FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of());
  }

  private static void knowMore(Path root, Path jar) throws IOException {
    Path source = root.resolve("datastore/src/main/java").resolve(RELEASE);
    Files.writeString(
        source,
        changed(Files.readString(source), "return BASELINE;", "return " + CLUSTER_VERSION + ";"));
    Path classes = Files.createDirectory(root.resolveSibling("classes"));
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK");
    int code =
        compiler.run(
            null,
            null,
            null,
            "--release",
            "17",
            "-proc:none",
            "-cp",
            jar.toString(),
            "-d",
            classes.toString(),
            source.toString());
    assertThat(code).as("of the compiler").isZero();
    String name = RELEASE.toString().replace(".java", ".class");
    try (FileSystem content = inside(jar)) {
      Files.copy(classes.resolve(name), content.getPath(name), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static void renumber(Path jar) throws IOException {
    String number = jar.getFileName().toString().replaceAll("^lockstep-deploy-(.*)\\.jar$", "$1");
    try (FileSystem content = inside(jar)) {
      Path manifest = content.getPath(MANIFEST);
      String key = "Implementation-Version: ";
      Files.writeString(manifest, changed(Files.readString(manifest), key + number, key + NUMBER));
    }
    Files.move(jar, jar.resolveSibling("lockstep-deploy-" + NUMBER + ".jar"));
  }

  private static String changed(String text, String from, String to) {
    assertThat(text).containsOnlyOnce(from);
    return text.replace(from, to);
  }
}
