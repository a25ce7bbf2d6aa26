package io.lockstep.deploy.cli;

import io.lockstep.deploy.config.ConfigException;
import io.lockstep.deploy.config.SettingsReader;
import io.lockstep.deploy.launch.ClusterPlan;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.deploy.launch.RunDirectory;
import io.lockstep.deploy.node.RunningNode;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * {@code lockstep rehearse}: starts a node without peers, asks it with some commands and stops it.
 * The script runs this once after a build with {@code -XX:ArchiveClassesAtExit}, so that later
 * starts find their classes loaded and verified: that halves them.
 */
@Command(name = "rehearse", hidden = true, description = "Starts and stops a node without peers.")
final class RehearseCommand implements Callable<Integer> {
  /** Those that operators call again and again. */
  private static final List<String> COMMANDS =
      List.of("status", "nodes", "switches", "links", "hosts", "flows", "doctor");

  @Override
  public Integer call() throws IOException, OperatorException, ConfigException {
    try (RunDirectory directory = RunDirectory.create("lockstep-rehearse-");
        PortBlock ports = PortBlock.take()) {
      List<DomainPlan> domains = List.of(new DomainPlan("west", List.of(1L), 0));
      ClusterPlan plan = new ClusterPlan(directory.path(), "rehearsal", 3, ports, domains, "");
      plan.writeConfigurations();
      try (RunningNode node =
          RunningNode.start(SettingsReader.read(plan.configFile(0), SettingsReader.Role.NODE))) {
        new AdminClient(plan.adminEndpoint(0), 5_000).report();
        for (String command : COMMANDS) {
          // What it finds does not matter: its classes are loaded.
          int unused =
              LockstepCommand.line()
                  .setOut(new PrintWriter(Writer.nullWriter()))
                  .setErr(new PrintWriter(Writer.nullWriter()))
                  .execute(command, "-e", plan.adminEndpoint(0), "-o", "wide");
        }
      }
    }
    return ExitCode.DONE;
  }
}
