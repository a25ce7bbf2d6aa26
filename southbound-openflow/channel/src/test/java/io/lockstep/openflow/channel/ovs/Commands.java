package io.lockstep.openflow.channel.ovs;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs programs of the system, those of the administrator included. */
final class Commands {
  private static final String SEARCH_PATH =
      System.getenv().getOrDefault("PATH", "/usr/bin:/bin") + ":/usr/local/sbin:/usr/sbin:/sbin";

  private final Map<String, String> environment;

  Commands(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  /** Whether a program is installed. */
  static boolean exists(String program) {
    for (String directory : SEARCH_PATH.split(File.pathSeparator, -1)) {
      if (!directory.isEmpty() && Files.isExecutable(Path.of(directory, program))) {
        return true;
      }
    }
    return false;
  }

  /** What became of a program: exit status, standard and error output. */
  record Result(int status, String output) {
    /** Whether it ended with status 0. */
    boolean ok() {
      return status == 0;
    }
  }

  /** Starts a program; its error output goes to its standard output. */
  Process start(List<String> command) {
    // sh looks the program up in the longer path, which ProcessBuilder does not.
    List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", "exec \"$@\"", "sh"));
    line.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    builder.environment().putAll(environment);
    builder.environment().put("PATH", SEARCH_PATH);
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + command, e);
    }
  }

  /** Runs a program to its end, at most 60 seconds. */
  Result run(List<String> command) {
    Process process = start(command);
    try {
      process.getOutputStream().close();
      Thread killer =
          new Thread(
              () -> {
                try {
                  if (!process.waitFor(60, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                  }
                } catch (InterruptedException e) {
                  process.destroyForcibly();
                }
              },
              "deadline of " + command.get(0));
      killer.setDaemon(true);
      killer.start();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return new Result(process.waitFor(), output);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read from " + command, e);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted in " + command, e);
    }
  }

  /** The same for a program that must end well; returns its output. */
  String must(List<String> command) {
    Result result = run(command);
    if (!result.ok()) {
      throw new IllegalStateException(
          String.join(" ", command) + " ended with " + result.status() + ": " + result.output());
    }
    return result.output();
  }
}
