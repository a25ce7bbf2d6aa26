package io.lockstep.deploy.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The archive of {@code ./lockstep package}, unpacked in a directory with a blank in its name,
 * which is only read from then on, on a machine that has Java and the basic tools.
 *
 * @param archive that was unpacked
 * @param home the directory of the package
 * @param tools that its script finds
 */
public record UnpackedPackage(Path archive, Path home, Tools tools) implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofMinutes(5);

  /** What a package needs of a machine besides Java. */
  public static final List<String> TOOLS = List.of("awk", "cat", "dirname", "readlink", "sh", "tr");

  /** Has a copy of a checkout make a package, and unpacks that. */
  public static UnpackedPackage of(CheckoutCopy copy, Path directory)
      throws IOException, InterruptedException {
    CommandRun made = copy.script("package", "archive");
    if (made.exitCode() != 0) {
      throw new AssertionError("no package was made: " + made.err());
    }
    Path archive = Path.of(made.out().strip());
    Path place = Files.createDirectory(directory.resolve("an installation"));
    CommandRun unpacked =
        CommandRun.of(
            DEADLINE,
            Map.of(),
            CommandRun.locate("tar"),
            "-xzf",
            archive.toString(),
            "-C",
            place.toString());
    if (unpacked.exitCode() != 0) {
      throw new AssertionError("the package cannot be unpacked: " + unpacked.err());
    }
    String name = archive.getFileName().toString().replace(".tar.gz", "");
    UnpackedPackage unpackedPackage =
        new UnpackedPackage(
            archive,
            place.resolve(name),
            Tools.in(directory.resolve("few tools"), TOOLS).withJava());
    unpackedPackage.allowWriting(false);
    return unpackedPackage;
  }

  /** Runs the package's script. */
  public CommandRun script(String... arguments) throws IOException, InterruptedException {
    return CommandRun.of(DEADLINE, tools.environment(), home.resolve("bin/lockstep"), arguments);
  }

  /**
   * Each file with its size and the time of its last change, directories too: root may write where
   * writing is not allowed, and leaves traces here.
   */
  public Map<String, String> contents() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> all = Files.walk(home)) {
      for (Path each : all.toList()) {
        contents.put(
            home.relativize(each).toString(),
            Files.size(each) + " " + Files.getLastModifiedTime(each, LinkOption.NOFOLLOW_LINKS));
      }
    }
    return contents;
  }

  private void allowWriting(boolean allowed) throws IOException {
    try (Stream<Path> all = Files.walk(home)) {
      for (Path each : all.filter(path -> !Files.isSymbolicLink(path)).toList()) {
        Set<PosixFilePermission> rights = Files.getPosixFilePermissions(each);
        rights.removeAll(Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE));
        if (allowed) {
          rights.add(PosixFilePermission.OWNER_WRITE);
        } else {
          rights.remove(PosixFilePermission.OWNER_WRITE);
        }
        Files.setPosixFilePermissions(each, rights);
      }
    }
  }

  /** Allows to remove it. */
  @Override
  public void close() {
    try {
      allowWriting(true);
    } catch (IOException e) {
      throw new UncheckedIOException("allowing to remove " + home, e);
    }
  }
}
