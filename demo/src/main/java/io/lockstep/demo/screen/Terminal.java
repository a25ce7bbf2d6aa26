package io.lockstep.demo.screen;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The terminal of this process: takes it over for drawing and single keys, and puts it back as it
 * was. {@code stty} does the work that Java cannot. Ctrl-C stays a signal, so that it ends the demo
 * whatever the demo does. Thread-safe; {@link #keys} belongs to one thread.
 */
public final class Terminal implements AutoCloseable {
  private static final File DEVICE = new File("/dev/tty");
  private static final int STTY_SECONDS = 5;

  /** A second Ctrl-C kills the stty that restores, not this process. */
  private static final int RESTORE_TRIES = 3;

  // Alternate screen, no cursor, no wrapping at the right edge; and all of it back.
  private static final String ENTER = "\033[?1049h\033[?25l\033[?7l\033[2J";
  private static final String LEAVE = "\033[0m\033[?7h\033[?25h\033[?1049l";

  private final PrintStream out;
  private final String before;
  private final InputStream keys;
  private Size size;
  private boolean entered;
  private boolean closed;
  private boolean clear;

  private Terminal(PrintStream out, String before, InputStream keys, Size size) {
    this.out = out;
    this.before = before;
    this.keys = keys;
    this.size = size;
  }

  /**
   * Finds the terminal out, and changes nothing yet.
   *
   * @param out leads to the terminal
   * @throws IOException where the process has no terminal, or there is no stty
   */
  public static Terminal of(PrintStream out) throws IOException {
    String before = stty("-g").strip();
    return new Terminal(out, before, new FileInputStream(DEVICE), askSize().orElse(Size.USUAL));
  }

  /** Takes the terminal over. Nothing happens on a closed one. */
  public synchronized void enter() throws IOException {
    if (closed) {
      return;
    }
    entered = true;
    stty("-icanon", "-echo", "min", "1", "time", "0", "susp", "undef", "quit", "undef");
    out.print(ENTER);
    out.flush();
  }

  /** The size when it was last looked at. */
  public synchronized Size size() {
    return size;
  }

  /** Looks at the size. It stays where stty fails: Ctrl-C, for example, reaches stty as well. */
  public void lookAtSize() {
    Size now;
    try {
      now = askSize().orElse(size());
    } catch (IOException noAnswer) {
      now = size();
    }
    synchronized (this) {
      clear |= !now.equals(size);
      size = now;
    }
  }

  private static Optional<Size> askSize() throws IOException {
    return Size.ofStty(stty("size"));
  }

  /** Draws lines from the top; nothing once the terminal is closed. */
  public synchronized void draw(List<String> lines) {
    if (!entered || closed) {
      return;
    }
    // One write for the whole picture: a terminal that shows half of it would flicker.
    StringBuilder text = new StringBuilder(clear ? "\033[2J" : "");
    clear = false;
    for (int i = 0; i < lines.size(); i++) {
      // Erased before it is written: behind a full line the cursor is still on its last column.
      text.append("\033[").append(i + 1).append(";1H\033[2K").append(lines.get(i));
    }
    out.print(text);
    out.flush();
  }

  /** Waits for keys; empty where the terminal is gone. */
  public Optional<List<Key>> keys() throws IOException {
    byte[] bytes = new byte[64];
    int length = keys.read(bytes);
    return length < 0 ? Optional.empty() : Optional.of(Key.decode(bytes, length));
  }

  /** Puts the terminal back as it was, once. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (!entered) {
      return;
    }
    out.print(LEAVE);
    out.flush();
    IOException last = null;
    for (int i = 0; i < RESTORE_TRIES; i++) {
      try {
        stty(before);
        return;
      } catch (IOException again) {
        last = again;
      }
    }
    out.println("the terminal could not be restored; run 'reset': " + last);
  }

  /** Runs stty on the terminal and gives what it prints. */
  private static String stty(String... arguments) throws IOException {
    List<String> line = new ArrayList<>(List.of("stty"));
    line.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(line)
            .redirectInput(Redirect.from(DEVICE))
            .redirectErrorStream(true)
            .start();
    try (InputStream printed = process.getInputStream()) {
      String text = new String(printed.readAllBytes(), StandardCharsets.US_ASCII);
      if (!process.waitFor(STTY_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(String.join(" ", line) + ": " + text.strip());
      }
      return text;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(String.join(" ", line) + ": interrupted", e);
    }
  }
}
