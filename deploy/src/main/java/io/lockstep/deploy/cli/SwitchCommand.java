package io.lockstep.deploy.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lockstep switch}: what concerns one switch. */
@Command(
    name = "switch",
    description = "Looks at switches.",
    mixinStandardHelpOptions = true,
    subcommands = {SwitchTablesCommand.class, SwitchProbeCommand.class})
@SuppressWarnings("NullAway.Init") // picocli sets the field
final class SwitchCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }
}
