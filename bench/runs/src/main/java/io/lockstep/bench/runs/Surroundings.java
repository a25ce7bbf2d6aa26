package io.lockstep.bench.runs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Where and from what a result comes, taken before the run starts. Names of the components are the
 * keys of the result file.
 */
public record Surroundings(Machine machine, Jvm jvm, Commit commit) {

  /**
   * The machine.
   *
   * @param cpu the processor's name, {@code unknown} where the system does not tell
   * @param cores that this process may use
   * @param memoryMegabytes of the machine, 0 where unknown
   * @param loadAverage of the last minute before the run, negative where unknown: well below 1 on a
   *     quiet machine
   */
  public record Machine(
      String cpu, int cores, long memoryMegabytes, String os, double loadAverage) {}

  /** The virtual machine that runs the benchmark; children are started from the same. */
  public record Jvm(String version, String vendor, List<String> flags) {
    public Jvm {
      flags = List.copyOf(flags);
    }
  }

  /**
   * The source.
   *
   * @param id of the commit, {@code unknown} outside a repository
   * @param dirty whether files under version control differ from it, results aside
   */
  public record Commit(String id, boolean dirty) {}

  /** The root of the repository: what the script says, or the working directory. */
  public static Path root() {
    return Path.of(System.getenv().getOrDefault("LOCKSTEP_ROOT", "")).toAbsolutePath();
  }

  /** Takes stock of this machine, this process and the repository around {@code directory}. */
  public static Surroundings of(Path directory) {
    return new Surroundings(readMachine(), readJvm(), readCommit(directory));
  }

  private static Machine readMachine() {
    return new Machine(
        firstValue(Path.of("/proc/cpuinfo"), "model name"),
        Runtime.getRuntime().availableProcessors(),
        kilobytes(firstValue(Path.of("/proc/meminfo"), "MemTotal")) / 1024,
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  private static Jvm readJvm() {
    return new Jvm(
        Runtime.version().toString(),
        System.getProperty("java.vm.name") + ", " + System.getProperty("java.vendor"),
        ManagementFactory.getRuntimeMXBean().getInputArguments());
  }

  private static Commit readCommit(Path directory) {
    String id = git(directory, "rev-parse", "HEAD");
    if (id.isEmpty()) {
      return new Commit("unknown", true);
    }
    String changes =
        git(
            directory,
            "status",
            "--porcelain",
            "--untracked-files=no",
            "--",
            ":/",
            ":(top,exclude)bench/results");
    return new Commit(id, !changes.isEmpty());
  }

  /** What git prints; empty where it fails or is not there. */
  private static String git(Path directory, String... arguments) {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      boolean ended = process.waitFor(10, TimeUnit.SECONDS);
      return ended && process.exitValue() == 0 ? output : "";
    } catch (IOException noGit) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  private static String firstValue(Path file, String key) {
    if (!Files.isReadable(file)) {
      return "unknown";
    }
    try {
      for (String line : Files.readAllLines(file)) {
        int colon = line.indexOf(':');
        if (colon > 0 && line.substring(0, colon).strip().equals(key)) {
          return line.substring(colon + 1).strip();
        }
      }
      return "unknown";
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private static long kilobytes(String text) {
    return text.endsWith(" kB") ? Long.parseLong(text.substring(0, text.length() - 3)) : 0;
  }
}
