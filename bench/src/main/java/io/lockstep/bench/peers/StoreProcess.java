package io.lockstep.bench.peers;

import io.lockstep.bench.runs.BenchException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A process that is told lines and answers lines. It must end when its standard input does, so that
 * it cannot outlive this process. Used by one thread.
 */
final class StoreProcess implements AutoCloseable {
  private static final int LINES = 1024;
  private static final int LAST_BYTES = 1500;
  private static final int END_SECONDS = 10;

  private final String name;
  private final Process process;
  private final Path log;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>(LINES);

  private StoreProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  /** Starts a process; its error stream becomes a log in {@code directory}. */
  static StoreProcess start(String name, Path directory, List<String> command) throws IOException {
    Path log = directory.resolve(name + ".log");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectError(ProcessBuilder.Redirect.to(log.toFile()))
            .start();
    StoreProcess started = new StoreProcess(name, process, log);
    Thread reader = new Thread(started::read, name + "-lines");
    reader.setDaemon(true);
    reader.start();
    return started;
  }

  private void read() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line;
      while ((line = in.readLine()) != null) {
        lines.put(line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("reading from " + name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tells it a line. */
  void tell(String line) throws BenchException {
    try {
      process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new BenchException(obituary(), e);
    }
  }

  /** The next line it says; fails where it ends, or says none for so long. */
  String hear(int seconds) throws BenchException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (true) {
      String line = lines.poll(100, TimeUnit.MILLISECONDS);
      if (line != null) {
        return line;
      }
      if (!process.isAlive() && lines.isEmpty()) {
        throw new BenchException(obituary());
      }
      if (System.nanoTime() - deadline > 0) {
        throw new BenchException(name + " said nothing for " + seconds + " s; " + lastWords());
      }
    }
  }

  /** Fails where it has ended. */
  void checkAlive() throws BenchException {
    if (!process.isAlive()) {
      throw new BenchException(obituary());
    }
  }

  private String obituary() {
    String how = process.isAlive() ? " hears nothing; " : " ended; ";
    return name + how + lastWords();
  }

  private String lastWords() {
    try {
      byte[] text = Files.readAllBytes(log);
      int from = Math.max(0, text.length - LAST_BYTES);
      return "its last words: "
          + new String(text, from, text.length - from, StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "its log cannot be read: " + e.getMessage();
    }
  }

  /** The processes whose CPU time counts: what it started, or itself. */
  List<ProcessHandle> measured() {
    List<ProcessHandle> children = process.children().toList();
    return children.isEmpty() ? List.of(process.toHandle()) : children;
  }

  @Override
  public void close() {
    List<ProcessHandle> children = process.children().toList();
    try {
      process.getOutputStream().close();
    } catch (IOException alreadyGone) {
      // It has ended: that is what closing is for.
    }
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        children.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor(END_SECONDS, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      children.forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
