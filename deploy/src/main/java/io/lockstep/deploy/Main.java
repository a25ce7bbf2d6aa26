package io.lockstep.deploy;

import io.lockstep.deploy.cli.LockstepCommand;

/**
 * The entry point of every process: {@code node}, {@code replica}, {@code status}, {@code demo}.
 */
public final class Main {
  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(LockstepCommand.run(arguments));
  }
}
