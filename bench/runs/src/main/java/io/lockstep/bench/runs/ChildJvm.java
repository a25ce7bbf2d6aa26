package io.lockstep.bench.runs;

import io.lockstep.deploy.launch.LaunchedNode;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A Java process with this one's class path and virtual machine. It must end when its standard
 * input does, so that it cannot outlive this process; {@link #close} ends it by its own id.
 * Thread-safe.
 */
public final class ChildJvm implements AutoCloseable {
  /** As a node runs: see the script {@code lockstep}. */
  public static final List<String> NODE_FLAGS =
      List.of(
          "-Xms256m", "-Xmx256m", "-XX:NewSize=64m", "-XX:MetaspaceSize=64m", "-XX:+UseSerialGC");

  private static final int LAST_BYTES = 2000;
  private static final int END_SECONDS = 10;

  private final String name;
  private final Process process;
  private final Path log;

  private ChildJvm(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  /**
   * Starts a process.
   *
   * @param name also of its log in {@code directory}
   * @throws IOException where it cannot be started
   */
  public static ChildJvm start(
      String name, Path directory, List<String> flags, Class<?> main, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(LaunchedNode.compilerFlags());
    command.addAll(List.of("-cp", System.getProperty("java.class.path", ""), main.getName()));
    command.addAll(arguments);
    Path log = directory.resolve(name + ".log");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()))
            .start();
    return new ChildJvm(name, process, log);
  }

  /** The process. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** Its name, exit code and last words, where it ended; empty where it runs. */
  public String obituary() throws IOException {
    if (process.isAlive()) {
      return "";
    }
    byte[] text = Files.readAllBytes(log);
    int from = Math.max(0, text.length - LAST_BYTES);
    return String.format(
        "%s ended with %d: ...%s",
        name,
        process.exitValue(),
        new String(text, from, text.length - from, StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
