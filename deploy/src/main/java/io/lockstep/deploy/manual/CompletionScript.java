package io.lockstep.deploy.manual;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Scripts with which shells complete commands and options of {@code lockstep}. Any thread. */
public final class CompletionScript {
  private static final String PROGRAM = "lockstep";

  private CompletionScript() {}

  /** What the script {@code lockstep} answers itself. */
  @Command(name = "version", description = "Prints the version.")
  private static final class VersionCommand {}

  /**
   * For bash: to be sourced, or kept as {@code lockstep} where bash-completion looks.
   *
   * @param line the command line with all its commands; this adds what only the script has
   */
  public static String bash(CommandLine line) {
    line.addSubcommand(new VersionCommand());
    line.addSubcommand(new CommandLine.HelpCommand());
    // Shells source it, so it names no interpreter.
    return AutoComplete.bash(PROGRAM, line).replaceFirst("\\A#!.*\\R", "");
  }

  /**
   * For zsh: to be sourced, or kept as {@code _lockstep} in a directory of {@code fpath}. It is the
   * script for bash, which zsh runs with its bashcompinit.
   *
   * @param line the command line with all its commands; this adds what only the script has
   */
  public static String zsh(CommandLine line) {
    return """
        #compdef lockstep
        %s
        # As a file of fpath this runs when lockstep is completed for the first time.
        if [[ ${funcstack[1]-} == _lockstep ]]; then
          _bash_complete -o default -F _complete_lockstep
        fi
        """
        .formatted(bash(line));
  }
}
