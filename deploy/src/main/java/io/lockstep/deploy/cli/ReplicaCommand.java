package io.lockstep.deploy.cli;

import io.lockstep.deploy.config.SettingsReader;
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
      "Exit codes: 0 --check found the file good; 1 the Java virtual machine did not start; 2 wrong",
      "usage; 10 the replica halted; 11 full disk, port in use, too few open files or too little",
      "memory; 12 it needs a person: broken configuration, damaged or newer files, another replica's",
      "directory; 143 stopped by SIGTERM. Start it again after 1, 10 and 11. The last line on standard",
      "error names the cause and the remedy."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the field
final class ReplicaCommand implements Callable<Integer> {
  @Mixin private ServeMixin serving;

  @Override
  public Integer call() {
    return serving.serve(
        file -> SettingsReader.read(file, SettingsReader.Role.REPLICA), RunningReplica::start);
  }
}
