package io.lockstep.deploy.cli;

import io.lockstep.deploy.config.SettingsReader.Role;
import io.lockstep.deploy.node.RunningReplica;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code lockstep replica}. */
@Command(
    name = "replica",
    description = "Runs one replica of the store as a process of its own.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 stopped, 1 broken configuration or port in use, 2 wrong usage,",
      "10 the replica halted: start it anew."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the field
final class ReplicaCommand implements Callable<Integer> {
  @Mixin private ServeMixin serving;

  @Override
  public Integer call() throws OperatorException {
    return serving.serve(Role.REPLICA, RunningReplica::start);
  }
}
