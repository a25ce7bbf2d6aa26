package io.lockstep.deploy.testbed;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A copy of this built checkout at another path, on a machine without Maven: what needs a build
 * ends there with a complaint.
 *
 * @param root of the copy
 * @param tools that its script finds
 */
public record CheckoutCopy(Path root, Tools tools) {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  /** What the script needs of the machine besides java; Maven is not among it. */
  private static final List<String> TOOLS =
      List.of(
          "awk",
          "bash",
          "cat",
          "chmod",
          "cp",
          "cut",
          "dirname",
          "env",
          "find",
          "grep",
          "gzip",
          "head",
          "id",
          "ln",
          "md5sum",
          "mkdir",
          "mv",
          "printf",
          "rm",
          "sed",
          "sha256sum",
          "sort",
          "tail",
          "tar",
          "tr",
          "wc",
          "xargs");

  /** What a build leaves that a copy needs. */
  private static final List<Path> BUILT =
      List.of(Path.of("deploy/target/dist/lib"), Path.of("target/lockstep/product"));

  /** Copies the checkout to {@code elsewhere} in a directory. */
  public static CheckoutCopy in(Path directory) throws IOException {
    Path root = Distribution.root();
    Path copy = directory.resolve("elsewhere");
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
    noteClassArchive(copy.toRealPath().resolve("deploy/target/dist"));
    return new CheckoutCopy(copy, Tools.in(directory.resolve("tools"), TOOLS));
  }

  /** Notes that the archive of loaded classes was tried in vain: a try takes seconds. */
  private static void noteClassArchive(Path dist) throws IOException {
    String name = "node-" + Runtime.version().feature() + ".jsa.of";
    Files.writeString(dist.resolve(name), dist.resolve("lib") + "\n");
  }

  private static boolean leadsToBuilt(Path at) {
    return BUILT.stream().anyMatch(built -> built.startsWith(at) || at.startsWith(built));
  }

  /** Runs the copy's script. */
  public CommandRun script(String... arguments) throws IOException, InterruptedException {
    Map<String, String> environment = new HashMap<>(tools.environment());
    environment.put("JAVA_HOME", System.getProperty("java.home", ""));
    return CommandRun.of(DEADLINE, environment, root.resolve("lockstep"), arguments);
  }
}
