package io.lockstep.deploy.testbed;

import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.launch.LaunchedNode;
import io.lockstep.deploy.status.AdminClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** One node, or one replica, as a process under test. Used by one thread. */
public final class NodeProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ASK_MILLIS = 15_000;
  private static final int LOG_LINES_SHOWN = 60;

  private final String id;
  private final String adminEndpoint;
  private final LaunchedNode launched;
  private final AdminClient admin;

  /**
   * A process that is not yet started.
   *
   * @param command {@code node} or {@code replica}
   * @param log gets its output
   */
  public NodeProcess(
      String id, String command, Path configuration, Path log, String adminEndpoint) {
    this.id = id;
    this.adminEndpoint = adminEndpoint;
    this.launched = new LaunchedNode(command, configuration, log, Distribution.classPath());
    this.admin = new AdminClient(adminEndpoint, ASK_MILLIS);
  }

  /** Its name. */
  public String id() {
    return id;
  }

  /** {@code host:port} of its admin HTTP. */
  public String adminEndpoint() {
    return adminEndpoint;
  }

  /** Starts it; does not wait. */
  public void start() {
    try {
      launched.start();
    } catch (IOException e) {
      throw new UncheckedIOException("starting " + id, e);
    }
  }

  /** Whether it runs. */
  public boolean running() {
    return launched.running();
  }

  /** The process. */
  public Process process() {
    return launched.process();
  }

  /** {@code kill -9}; waits until it is gone. */
  public void kill() {
    launched.kill();
  }

  /** Ends it as a service supervisor would; gives the exit code. */
  public int stop() {
    return launched.stop();
  }

  /** {@code kill -STOP}: it hangs, its connections stay open. */
  public void pause() {
    signal("-STOP");
  }

  /** {@code kill -CONT}. */
  public void resume() {
    signal("-CONT");
  }

  private void signal(String signal) {
    try {
      int code =
          new ProcessBuilder("kill", signal, Long.toString(process().pid())).start().waitFor();
      if (code != 0) {
        throw new AssertionError("kill " + signal + " ended with " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("kill " + signal, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** What it says of itself. */
  public NodeReport report() throws IOException {
    return admin.report();
  }

  /** Waits until it says that it is ready. */
  public void awaitReady() {
    await("it is ready", NodeReport::ready);
  }

  /** Waits until its report fulfils a condition. */
  public void await(String what, Predicate<NodeReport> condition) {
    Await.until(id + ": " + what, PATIENCE, () -> condition.test(report()), this::lastLines);
  }

  /** Waits until its log has a line that contains a text. */
  public void awaitLog(String text) {
    Await.until(
        id + " logs '" + text + "'",
        PATIENCE,
        () -> logLines().stream().anyMatch(line -> line.contains(text)),
        this::lastLines);
  }

  /** Its output so far, of all its runs. */
  public List<String> logLines() {
    try {
      return Files.exists(launched.log()) ? Files.readAllLines(launched.log()) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException("reading the log of " + id, e);
    }
  }

  /** The end of its output, for a failed test. */
  public String lastLines() {
    List<String> lines = logLines();
    String shown =
        String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size()));
    return "---- " + id + (running() ? "" : " (does not run)") + "\n" + shown;
  }

  /** Resident memory in kilobytes, from /proc. */
  public long residentKilobytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + process().pid() + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    throw new IOException("no VmRSS for " + id);
  }

  @Override
  public void close() {
    launched.close();
  }
}
