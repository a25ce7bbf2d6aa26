package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Sends signals to processes. */
final class ProcessSignal {
  private static final long DEADLINE_SECONDS = 60;

  private ProcessSignal() {}

  /**
   * Sends STOP or CONT. A process is stopped on return: threads of it go on for some milliseconds
   * where the one that the signal went to has to wait for a core.
   */
  static void send(Process process, String name) throws IOException, InterruptedException {
    assertThat(
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor())
        .isZero();
    if (name.equals("STOP")) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
      while (!isStopped(process.pid())) {
        assertThat(System.nanoTime()).as("%s runs still", process).isLessThan(deadline);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
    }
  }

  private static boolean isStopped(long pid) throws IOException {
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
      for (Path thread : threads) {
        // The state follows the name, which is in parentheses (proc(5)).
        String stat = Files.readString(thread.resolve("stat"));
        if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
          return false;
        }
      }
    }
    return true;
  }
}
