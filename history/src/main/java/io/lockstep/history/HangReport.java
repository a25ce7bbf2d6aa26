package io.lockstep.history;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@code hang.txt}: what did not come back, where that was noticed, and where every thread of this
 * process stood; the replicas print theirs into their own logs. After a hang this is all there is
 * to go by.
 */
final class HangReport {
  static final String FILE = "hang.txt";

  private HangReport() {}

  /**
   * Writes it.
   *
   * @param noticed says what hangs; its stack and those of its causes are kept
   */
  static void write(Path file, Exception noticed) throws IOException {
    try (PrintWriter to = new PrintWriter(Files.newBufferedWriter(file))) {
      to.println("HANG: " + noticed.getMessage());
      to.println();
      noticed.printStackTrace(to);
      to.println();
      to.println("The replicas' threads: replicas/replica-*.log, from \"Full thread dump\" on.");
      to.println("The threads of this process:");
      Map<String, StackTraceElement[]> threads = new TreeMap<>();
      Thread.getAllStackTraces()
          .forEach((thread, stack) -> threads.put(thread.getName() + " " + thread.getId(), stack));
      threads.forEach(
          (name, stack) -> {
            to.println();
            to.println(name);
            for (StackTraceElement frame : stack) {
              to.println("\tat " + frame);
            }
          });
      if (to.checkError()) {
        throw new IOException("cannot write " + file);
      }
    }
  }
}
