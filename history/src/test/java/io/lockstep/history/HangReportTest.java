package io.lockstep.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HangReportTest {
  @TempDir Path directory;

  @Test
  void keepsTheStacksOfWhatWasNoticedAndOfAllThreads() throws Exception {
    CountDownLatch stands = new CountDownLatch(1);
    CountDownLatch ends = new CountDownLatch(1);
    Thread other =
        new Thread(
            () -> {
              stands.countDown();
              try {
                ends.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "stands-here");
    other.start();
    try {
      stands.await();
      Path file = directory.resolve(HangReport.FILE);
      HangReport.write(
          file, new IllegalStateException("client 3 has no answer", new TimeoutException("late")));
      assertThat(Files.readString(file))
          .startsWith("HANG: client 3 has no answer")
          .contains("IllegalStateException: client 3 has no answer")
          .contains("Caused by: java.util.concurrent.TimeoutException: late")
          .contains("at io.lockstep.history.HangReportTest.keepsTheStacks")
          .contains("stands-here")
          .contains("replicas/replica-*.log");
    } finally {
      ends.countDown();
      other.join();
    }
  }
}
