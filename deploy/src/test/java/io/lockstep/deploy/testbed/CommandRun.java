package io.lockstep.deploy.testbed;

import io.lockstep.deploy.launch.LaunchedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A command that ran to its end. */
public record CommandRun(int exitCode, String out, String err) {

  /** The last line on standard error; empty where there is none. */
  public String lastLine() {
    return err.lines().reduce("", (before, line) -> line);
  }

  /** Runs a command of the distribution, such as {@code status -e 127.0.0.1:8181}. */
  public static CommandRun lockstep(Duration deadline, String... arguments)
      throws IOException, InterruptedException {
    return lockstep(deadline, Map.of(), arguments);
  }

  /** The same with some environment variables replaced. */
  public static CommandRun lockstep(
      Duration deadline, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    return run(deadline, environment, line("-Xmx512m", arguments));
  }

  /**
   * The command line of a command of the distribution.
   *
   * @param heap such as {@code -Xmx512m}
   */
  public static List<String> line(String heap, String... arguments) {
    List<String> line = new ArrayList<>();
    line.addAll(List.of(Distribution.java(), heap, "-XX:+UseSerialGC"));
    line.add("-XX:TieredStopAtLevel=1");
    line.addAll(LaunchedNode.archiveFlags());
    line.addAll(List.of("-cp", Distribution.classPath(), "io.lockstep.deploy.Main"));
    line.addAll(List.of(arguments));
    return line;
  }

  /** Runs the script with some environment variables replaced. */
  public static CommandRun script(
      Duration deadline, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    return of(deadline, environment, Distribution.root().resolve("lockstep"), arguments);
  }

  /** Runs any program with some environment variables replaced. */
  public static CommandRun of(
      Duration deadline, Map<String, String> environment, Path program, String... arguments)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(program.toString());
    line.addAll(List.of(arguments));
    return run(deadline, environment, line);
  }

  /** Where a tool of the machine is. */
  public static Path locate(String tool) {
    for (String place : List.of("/usr/bin", "/bin", "/usr/local/bin")) {
      if (Files.isExecutable(Path.of(place, tool))) {
        return Path.of(place, tool);
      }
    }
    throw new AssertionError("no " + tool);
  }

  private static CommandRun run(
      Duration deadline, Map<String, String> environment, List<String> line)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("lockstep-out", ".txt");
    Path err = Files.createTempFile("lockstep-err", ".txt");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(line)
              .redirectInput(new java.io.File("/dev/null"))
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().putAll(environment);
      Process process = builder.start();
      if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
        throw new AssertionError(
            line + " did not end within " + deadline + "\n" + Files.readString(err));
      }
      return new CommandRun(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      Files.deleteIfExists(out);
      Files.deleteIfExists(err);
    }
  }
}
