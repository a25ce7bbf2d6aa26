package io.lockstep.store.engine.bftsmart;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** What is logged while it is open; it goes on to the console. */
final class LogLines implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private final PrintStream console = System.out;
  private final ByteArrayOutputStream seen = new ByteArrayOutputStream();

  LogLines() {
    OutputStream both =
        new OutputStream() {
          @Override
          public void write(int octet) {
            write(new byte[] {(byte) octet}, 0, 1);
          }

          @Override
          public void write(byte[] octets, int from, int length) {
            seen.write(octets, from, length);
            console.write(octets, from, length);
          }
        };
    System.setOut(new PrintStream(both, true, StandardCharsets.UTF_8));
  }

  List<String> containing(String part) {
    return seen.toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.contains(part))
        .toList();
  }

  void await(String part) {
    Await.until(PATIENCE, () -> "no line with: " + part, () -> !containing(part).isEmpty());
  }

  @Override
  public void close() {
    System.setOut(console);
  }
}
