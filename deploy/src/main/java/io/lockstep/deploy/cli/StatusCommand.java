package io.lockstep.deploy.cli;

import io.lockstep.deploy.cli.request.EndpointsMixin;
import io.lockstep.deploy.cli.request.OutputMixin;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminAddress;
import io.lockstep.deploy.status.ClusterStatus;
import io.lockstep.deploy.status.StatusTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lockstep status}. */
@Command(
    name = "status",
    description = "Shows nodes, replicas, masters, switches, links and hosts.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 quorum, 1 no node answers, 2 wrong usage, 4 no quorum.",
      "Without -e and --config: asks 127.0.0.1:8181, :8182 and :8183."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class StatusCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private EndpointsMixin nodes = new EndpointsMixin();
  @Mixin private OutputMixin output = new OutputMixin();

  @Override
  public Integer call() throws OperatorException, IOException {
    List<AdminAddress> asked = nodes.asked(spec);
    ClusterStatus status = ClusterStatus.askAt(asked, nodes.timeoutMillis());
    if (nodes.usual() && !status.answers().isEmpty()) {
      status = status.ofUsualEndpoints();
    }
    output.print(spec, status, StatusTable.lines(status));
    PrintWriter err = spec.commandLine().getErr();
    if (status.answers().isEmpty()) {
      err.println("lockstep: no node answers at " + AdminAddress.texts(asked));
      if (!nodes.usual()) {
        status.unreachable().forEach(one -> err.println("    " + one.reason()));
      }
      err.println("    remedy: start one with ./lockstep node, or name its admin address with -e");
      return ExitCode.FAILED;
    }
    if (!status.quorum()) {
      err.println("lockstep: no quorum");
      return ExitCode.NO_QUORUM;
    }
    return ExitCode.DONE;
  }
}
