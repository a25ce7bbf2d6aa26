package io.lockstep.openflow.channel.ovs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Processes that went into the background and left a pid file. */
final class Daemon {
  private Daemon() {}

  /** The process of a pid file, if it runs. */
  static Optional<ProcessHandle> of(Path pidFile) {
    try {
      return Files.exists(pidFile)
          ? ProcessHandle.of(Long.parseLong(Files.readString(pidFile).strip()))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + pidFile, e);
    }
  }

  /** Ends a process, by force where it does not end in 5 s. */
  static void end(ProcessHandle process) {
    process.destroy();
    if (!awaitEnd(process, 5)) {
      process.destroyForcibly();
    }
  }

  /** Waits for the end of a process; false where the time is over before. */
  static boolean awaitEnd(ProcessHandle process, int seconds) {
    return process
        .onExit()
        .thenApply(ended -> true)
        .completeOnTimeout(false, seconds, TimeUnit.SECONDS)
        .join();
  }
}
