package io.lockstep.deploy.ovs;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs programs of this machine. Any thread. */
final class Shell {
  private static final int DEADLINE_SECONDS = 60;

  private Shell() {}

  /** Whether a program is installed. */
  static boolean has(String program) {
    String path = System.getenv().getOrDefault("PATH", "") + ":/usr/sbin:/sbin";
    for (String directory : path.split(":", -1)) {
      if (new File(directory, program).canExecute()) {
        return true;
      }
    }
    return false;
  }

  /** Runs a command that must succeed; gives what it says, standard error included. */
  static String run(List<String> command) {
    Process process = start(command);
    try {
      CompletableFuture<String> output =
          CompletableFuture.supplyAsync(() -> readAll(process.getInputStream()));
      if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException(command + " does not end");
      }
      if (process.exitValue() != 0) {
        throw new IllegalStateException(
            command + " ended with " + process.exitValue() + ": " + output.join());
      }
      return output.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Starts a command that goes on; its standard error is mixed into its standard output. */
  static Process start(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().merge("PATH", "/usr/sbin:/sbin", (path, more) -> path + ":" + more);
    builder.environment().put("LC_ALL", "C");
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException("starting " + String.join(" ", command), e);
    }
  }

  private static String readAll(InputStream in) {
    try {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("reading a command's output", e);
    }
  }
}
