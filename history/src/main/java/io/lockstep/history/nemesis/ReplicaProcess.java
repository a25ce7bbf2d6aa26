package io.lockstep.history.nemesis;

import io.lockstep.history.replica.ReplicaServer;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One run of a replica's process. It tells its status when asked; all else that it prints goes to
 * its log. Ended by its own process id. Used by one thread.
 */
final class ReplicaProcess {
  private static final int ANSWER_MILLIS = 1_000;
  private static final int END_SECONDS = 20;

  /** What begins the last lines of a JVM's answer to SIGQUIT. */
  private static final String AFTER_STACKS = "Heap";

  private final Process process;
  private final Writer questions;
  private final Thread reader;
  private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>(1_000);
  private volatile boolean killed;
  private volatile Halts.@Nullable Halt said;
  private final Semaphore stacks = new Semaphore(0);
  private boolean noted;
  private int asked;

  private ReplicaProcess(Process process, Path log) {
    this.process = process;
    this.questions = process.outputWriter(StandardCharsets.UTF_8);
    this.reader = new Thread(() -> read(log), "replica-output");
    reader.setDaemon(true);
    reader.start();
  }

  static ReplicaProcess start(List<String> command, Path directory, Path log) throws IOException {
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    return new ReplicaProcess(process, log);
  }

  private void read(Path log) {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        BufferedWriter to =
            Files.newBufferedWriter(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      String line;
      while ((line = output.readLine()) != null) {
        if (line.startsWith(ReplicaServer.HALT)) {
          String[] words = line.split(" ", 3);
          said = new Halts.Halt(-1, words[1], words[2]);
        }
        if (!line.startsWith("@") || line.startsWith(ReplicaServer.HALT)) {
          to.write(line);
          to.newLine();
          to.flush();
          if (line.startsWith(AFTER_STACKS)) {
            stacks.release();
          }
        } else if (!answers.offer(line)) {
          throw new IOException("answers nobody takes: " + line);
        }
      }
    } catch (IOException e) {
      // A process that is killed has its output closed a moment before it is known to have ended.
      if (!killed && process.isAlive()) {
        throw new UncheckedIOException("output of replica " + process.pid(), e);
      }
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /** Its exit code, or null while it runs. */
  @Nullable Integer exitCode() {
    return process.isAlive() ? null : process.exitValue();
  }

  /** How it ended by itself; null where it did not, and at every call but the first. */
  Halts.@Nullable Halt halt(int id) {
    if (killed || noted || process.isAlive()) {
      return null;
    }
    noted = true;
    try {
      reader.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Halts.Halt last = said;
    String ended = "ended with " + process.exitValue();
    return last == null
        ? new Halts.Halt(id, ended, ended)
        : new Halts.Halt(id, last.cause(), last.reason());
  }

  /** What it says of itself; {@link Status#SILENT} where it does not answer in a second. */
  Status status() throws InterruptedException {
    String number = "@" + asked++ + " ";
    try {
      questions.write(number.substring(1, number.length() - 1) + "\n");
      questions.flush();
    } catch (IOException ended) {
      return Status.SILENT;
    }
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ANSWER_MILLIS);
    long left = deadline - System.nanoTime();
    while (left > 0 && process.isAlive()) {
      String answer = answers.poll(Math.min(left, 50_000_000), TimeUnit.NANOSECONDS);
      if (answer != null && answer.startsWith(number)) {
        return Status.parse(answer.substring(number.length()));
      }
      left = deadline - System.nanoTime();
    }
    return Status.SILENT;
  }

  /** Gives it an order of {@link ReplicaServer}; nothing where it has ended. */
  void order(String order) throws IOException {
    try {
      questions.write(order + "\n");
      questions.flush();
    } catch (IOException e) {
      if (process.isAlive() && !killed) {
        throw e;
      }
    }
  }

  /** Sends STOP, CONT or QUIT. */
  void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    boolean sent = kill.waitFor(END_SECONDS, TimeUnit.SECONDS) && kill.exitValue() == 0;
    if (!sent && process.isAlive()) {
      throw new IOException("cannot send " + name + " to process " + process.pid());
    }
  }

  /** Lets it print the stacks of all its threads into its log. */
  void askForStacks() throws IOException, InterruptedException {
    stacks.drainPermits();
    signal("QUIT");
  }

  /** Waits until it has printed them, or the system's timer is past {@code deadlineNanos}. */
  void awaitStacks(long deadlineNanos) throws InterruptedException {
    stacks.tryAcquire(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  /** Limits how far it can write into files: a number of bytes, or {@code unlimited}. */
  void limitFiles(String bytes) throws IOException, InterruptedException {
    String limit = "--fsize=" + bytes + ":unlimited";
    boolean set = Tool.succeeds("prlimit --pid " + process.pid() + " " + limit);
    if (!set && process.isAlive()) {
      throw new IOException("cannot set prlimit " + limit + " on process " + process.pid());
    }
  }

  /** SIGKILL, and waits for the end. */
  void kill() throws IOException, InterruptedException {
    killed |= process.isAlive();
    process.destroyForcibly();
    awaitEnd("SIGKILL");
  }

  /** Lets it end by itself, as on an orderly stop; kills it where it does not. */
  void end() throws IOException, InterruptedException {
    killed |= process.isAlive();
    process.destroy();
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      kill();
    }
  }

  /** SIGKILL, and does not wait. Any thread. */
  void abandon() {
    killed |= process.isAlive();
    process.destroyForcibly();
  }

  void awaitEnd(long millis) throws InterruptedException {
    process.waitFor(millis, TimeUnit.MILLISECONDS);
  }

  private void awaitEnd(String after) throws IOException, InterruptedException {
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("process " + process.pid() + " lives on after " + after);
    }
  }
}
