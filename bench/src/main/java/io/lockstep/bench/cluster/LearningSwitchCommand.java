package io.lockstep.bench.cluster;

import io.lockstep.bench.openflow.LoadFigures;
import io.lockstep.bench.openflow.OpenFlowLoadCommand;
import io.lockstep.bench.openflow.PlanOptions;
import io.lockstep.bench.process.CpuMeter;
import io.lockstep.bench.process.RunDirectory;
import io.lockstep.bench.result.RunOptions;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench learning-switch}: flow set-ups of three whole nodes. */
@Command(
    name = "learning-switch",
    description =
        "Starts three controller nodes, plays switches against them, and reports "
            + "flow set-ups per second of the learning switch and their latency, from "
            + "packet-in to its answer.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class LearningSwitchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private PlanOptions plan;
  @Mixin private RunOptions options;

  @Option(
      names = "--keys",
      description = "Encrypt and authenticate the links between nodes, as keys do.")
  private boolean keys;

  @Override
  public Integer call() throws BenchException, InterruptedException, IOException {
    RunDirectory directory = RunDirectory.create("learning-switch");
    List<LoadFigures> points;
    try (NodeProcesses nodes =
        new NodeProcesses(
            directory.path(),
            NodeProcesses.domains(plan.plan()),
            NodeProcesses.WITHOUT_QUOTAS,
            keys)) {
      try {
        points =
            OpenFlowLoadCommand.measure(
                nodes.controllers(),
                plan,
                options,
                nodes::awaitMasters,
                new CpuMeter(nodes.handles()),
                spec.commandLine().getOut());
      } catch (BenchException e) {
        throw new BenchException(
            e.getMessage() + nodes.obituary() + " (logs: " + directory.path() + ")", e);
      }
    }
    if (points.stream().allMatch(point -> point.figures().lost() == 0)) {
      directory.remove();
    } else {
      spec.commandLine().getOut().println("flows were lost; logs: " + directory.path());
    }
    options.write(points);
    return 0;
  }
}
