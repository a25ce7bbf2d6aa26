package io.lockstep.demo;

import io.lockstep.deploy.testbed.Await;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A command on a pseudo terminal, which {@code script} of util-linux gives it. Used by one thread.
 */
final class PseudoTerminal implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final long PAUSE_NANOS = 1_000_000_000;
  private static final String CTRL_C = "\u0003";

  /**
   * A shell starts commands in the background with SIGINT ignored, and every process below inherits
   * that: without this, Ctrl-C does nothing where the tests themselves run in the background.
   */
  private static final String INTERRUPTIBLE = "env --default-signal=INT";

  private final Path directory;
  private final Process process;
  private final Reader output;
  private final OutputStream keys;
  private final ScreenModel screen;
  private String rest = "";

  /**
   * Runs a command.
   *
   * @param directory for the command's process id, its exit code and the terminal's modes
   */
  PseudoTerminal(
      int columns, int rows, Path directory, Map<String, String> environment, List<String> command)
      throws IOException {
    this.directory = directory;
    this.screen = new ScreenModel(columns, rows);
    String quoted =
        command.stream()
            .map(word -> "'" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining(" "));
    Path run = directory.resolve("run.sh");
    // A shell that Ctrl-C, which goes to all processes of the terminal, does not end.
    Files.writeString(
        run,
        String.join(
            "\n",
            "trap : INT",
            "stty rows " + rows + " cols " + columns,
            "tty >" + directory.resolve("tty"),
            "stty -g >" + directory.resolve("before"),
            "sh -c 'echo $$ >" + directory.resolve("pid") + "; exec \"$@\"' demo " + quoted,
            "echo $? >" + directory.resolve("code"),
            "stty -g >" + directory.resolve("after"),
            "echo ended",
            ""));
    ProcessBuilder builder =
        new ProcessBuilder("script", "-qec", INTERRUPTIBLE + " sh " + run, "/dev/null")
            .redirectErrorStream(true);
    builder.environment().put("TERM", "xterm-256color");
    builder.environment().put("LC_ALL", "C.UTF-8");
    // A failed demo keeps its run directory.
    builder.environment().put("XDG_RUNTIME_DIR", directory.toString());
    builder.environment().remove("NO_COLOR");
    builder.environment().putAll(environment);
    process = builder.start();
    output = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8);
    keys = process.getOutputStream();
  }

  /** What the terminal shows now. */
  ScreenModel screen() throws IOException {
    char[] more = new char[4096];
    while (output.ready()) {
      int length = output.read(more);
      rest = screen.take(rest + new String(more, 0, Math.max(0, length)));
    }
    return screen;
  }

  /** Waits until the screen shows a text. */
  void await(String text) {
    await("the screen shows '" + text + "'", shown -> shown.contains(text));
  }

  /** Waits until what the screen shows fulfils a condition. */
  void await(String what, Predicate<String> condition) {
    Await.until(what, PATIENCE, () -> condition.test(screen().text()), this::shown);
  }

  private String shown() {
    return screen.text() + "\n---- normal screen\n" + screen.normal();
  }

  /** Types. */
  void type(String text) throws IOException {
    keys.write(text.getBytes(StandardCharsets.US_ASCII));
    keys.flush();
  }

  /** Types a key about once a second until the screen shows a text. */
  void typeUntil(String key, String text) {
    long[] typed = {System.nanoTime() - PAUSE_NANOS};
    await(
        "after " + key + " the screen shows '" + text + "'",
        shown -> {
          boolean there = shown.contains(text);
          if (!there && System.nanoTime() - typed[0] >= PAUSE_NANOS) {
            typed[0] = System.nanoTime();
            try {
              type(key);
            } catch (IOException e) {
              throw new UncheckedIOException("typing " + key, e);
            }
          }
          return there;
        });
  }

  /** Sends the command itself a signal, such as {@code -TERM}. */
  void signal(String signal) throws IOException, InterruptedException {
    run("kill", signal, read("pid"));
  }

  /** Gives the terminal another size; the model keeps the larger one. */
  void resize(int columns, int rows) throws IOException, InterruptedException {
    run("stty", "-F", read("tty"), "rows", "" + rows, "cols", "" + columns);
  }

  private static void run(String... line) throws IOException, InterruptedException {
    if (new ProcessBuilder(line).inheritIO().start().waitFor() != 0) {
      throw new AssertionError(String.join(" ", line));
    }
  }

  /** Waits for the end of the command, and gives its exit code. */
  int awaitEnd() throws IOException {
    Await.until("the command ends", PATIENCE, this::hasEnded, this::shown);
    return Integer.parseInt(read("code"));
  }

  private boolean hasEnded() throws IOException {
    return screen().normal().contains("ended\n") || !process.isAlive();
  }

  /** Types Ctrl-C, waits for the end of the command, and gives its exit code. */
  int interrupt() throws IOException {
    type(CTRL_C);
    return awaitEnd();
  }

  /** Whether the terminal has the modes that it had before the command. */
  boolean restored() throws IOException {
    return read("before").equals(read("after")) && !screen.alternate() && !screen.cursorHidden();
  }

  private String read(String file) throws IOException {
    return Files.readString(directory.resolve(file)).strip();
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}
