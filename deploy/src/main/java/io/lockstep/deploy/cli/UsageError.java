package io.lockstep.deploy.cli;

import io.lockstep.deploy.process.ExitCode;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Explains a wrong command line in three lines at most: the error, what is near, where help is. */
final class UsageError {
  private UsageError() {}

  /** Writes the lines to standard error; gives the exit code. */
  static int report(ParameterException error, String[] arguments) {
    lines(error).forEach(error.getCommandLine().getErr()::println);
    return ExitCode.USAGE;
  }

  /** The lines, each with the program's name in front. */
  static List<String> lines(ParameterException error) {
    String what = String.valueOf(error.getMessage()).strip().replaceAll("\\s*\\R\\s*", " ");
    if (what.startsWith("Error: ")) {
      what = what.substring("Error: ".length());
    }
    CommandLine command = error.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    String help = "lockstep: './" + name + " --help' shows its options" + subcommands(command);
    if (error instanceof UnmatchedArgumentException unmatched
        && !unmatched.getSuggestions().isEmpty()) {
      String near = unmatched.getSuggestions().get(0);
      return List.of("lockstep: " + what, "lockstep: did you mean '" + near + "'?", help);
    }
    return List.of("lockstep: " + what, help);
  }

  private static String subcommands(CommandLine command) {
    List<String> names =
        command.getSubcommands().values().stream()
            .filter(one -> !one.getCommandSpec().usageMessage().hidden())
            .map(CommandLine::getCommandName)
            .distinct()
            .toList();
    return names.isEmpty() ? "" : "; its commands are " + String.join(", ", names);
  }
}
