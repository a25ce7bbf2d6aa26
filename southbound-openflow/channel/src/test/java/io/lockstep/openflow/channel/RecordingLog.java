package io.lockstep.openflow.channel;

import io.lockstep.openflow.channel.ConnectionLog.Severity;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Keeps log lines, each with its severity in front. */
final class RecordingLog implements ConnectionLog.Sink {
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  @Override
  public void line(Severity severity, String text, @Nullable Throwable cause) {
    lines.add(severity + " " + text);
  }

  /** Waits for a line that contains all the parts; lines before it are dropped. */
  String await(String... parts) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    StringBuilder others = new StringBuilder();
    while (true) {
      String line;
      try {
        line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        throw new AssertionError("interrupted", e);
      }
      if (line == null) {
        throw new AssertionError("no line with " + List.of(parts) + "; others: " + others);
      }
      if (List.of(parts).stream().allMatch(line::contains)) {
        return line;
      }
      others.append('\n').append(line);
    }
  }

  List<String> soFar() {
    return List.copyOf(lines);
  }
}
