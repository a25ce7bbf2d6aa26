package io.lockstep.history;

import io.lockstep.history.nemesis.AtExit;
import io.lockstep.history.nemesis.Namespaces;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A run whose clients are in a process of their own, inside the router's namespace: a virtual
 * machine cannot change its network. The namespaces are taken away afterwards, and at the end of
 * this process. Used by one thread.
 */
final class NamespaceRun implements AutoCloseable {
  private static final int END_SECONDS = 20;

  private final String id;
  private final Namespaces namespaces;
  private final AtExit atExit;
  private volatile @Nullable Process process;

  private NamespaceRun(String id, Namespaces namespaces) {
    this.id = id;
    this.namespaces = namespaces;
    this.atExit = new AtExit("namespaces-release", this::release);
  }

  /**
   * Makes the namespaces. Their names begin with {@code lockstep-} and the id of this process.
   *
   * @throws IOException where that is not possible
   */
  static NamespaceRun open() throws IOException, InterruptedException {
    String id =
        String.format(
            "lockstep-%d-%04x",
            ProcessHandle.current().pid(), ThreadLocalRandom.current().nextInt(1 << 16));
    return new NamespaceRun(id, Namespaces.create(id));
  }

  /**
   * Runs this command line in there.
   *
   * @return its exit code
   */
  int run(List<String> arguments, PrintWriter out) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(namespaces.insideRouter());
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("-X"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path", "")));
    command.add(HistoryMain.class.getName());
    command.addAll(arguments);
    command.addAll(List.of("--inside", id));
    Process started = new ProcessBuilder(command).redirectErrorStream(true).start();
    process = started;
    try (BufferedReader lines = started.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        out.println(line);
        out.flush();
      }
    }
    return started.waitFor();
  }

  /** In the process inside: it ends when its parent does. */
  static void endWithParent() {
    Thread watch =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // The parent says nothing.
                }
              } catch (IOException e) {
                throw new UncheckedIOException("standard input", e);
              } finally {
                System.exit(1);
              }
            },
            "parent-watch");
    watch.setDaemon(true);
    watch.start();
  }

  private void release() {
    Process running = process;
    if (running != null) {
      // Its own end takes its replicas and its disks away.
      running.destroy();
      try {
        if (!running.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
          running.destroyForcibly();
        }
      } catch (InterruptedException e) {
        running.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
    namespaces.close();
  }

  @Override
  public void close() {
    atExit.close();
  }
}
