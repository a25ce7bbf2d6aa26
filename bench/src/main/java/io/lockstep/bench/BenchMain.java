package io.lockstep.bench;

import io.lockstep.bench.abuse.AbuseCommand;
import io.lockstep.bench.balancer.LoadBalancerCommand;
import io.lockstep.bench.cluster.LearningSwitchCommand;
import io.lockstep.bench.cluster.LearningSwitchReleasesCommand;
import io.lockstep.bench.core.CoreCommand;
import io.lockstep.bench.evaluation.FiguresCommand;
import io.lockstep.bench.failover.CostCommand;
import io.lockstep.bench.failover.FailoverCommand;
import io.lockstep.bench.network.NetworkCommand;
import io.lockstep.bench.openflow.OpenFlowLoadCommand;
import io.lockstep.bench.overload.OverloadCommand;
import io.lockstep.bench.peers.CompareCommand;
import io.lockstep.bench.peers.KeysCommand;
import io.lockstep.bench.peers.ReleasesCommand;
import io.lockstep.bench.pictures.PicturesCommand;
import io.lockstep.bench.placer.PlacerCommand;
import io.lockstep.bench.placer.PlacerSpeedCommand;
import io.lockstep.bench.replay.ReplayCommand;
import io.lockstep.bench.replay.ReplicaCommand;
import io.lockstep.bench.rest.RestCommand;
import io.lockstep.bench.runs.BenchCommandLine;
import io.lockstep.bench.store.StoreCommand;
import io.lockstep.bench.switchmodel.SwitchModelCommand;
import io.lockstep.bench.variant.VariantCommand;
import io.lockstep.history.HistoryCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The entry point: {@code ./lockstep bench}. */
@Command(
    name = "lockstep bench",
    description = "Measures Lockstep; each benchmark writes a result file.",
    mixinStandardHelpOptions = true,
    subcommands = {
      StoreCommand.class,
      AbuseCommand.class,
      LearningSwitchCommand.class,
      LearningSwitchReleasesCommand.class,
      LoadBalancerCommand.class,
      NetworkCommand.class,
      OpenFlowLoadCommand.class,
      OverloadCommand.class,
      HistoryCommand.class,
      CompareCommand.class,
      ReleasesCommand.class,
      KeysCommand.class,
      RestCommand.class,
      FailoverCommand.class,
      CostCommand.class,
      CoreCommand.class,
      PlacerCommand.class,
      PlacerSpeedCommand.class,
      SwitchModelCommand.class,
      ReplicaCommand.class,
      ReplayCommand.class,
      FiguresCommand.class,
      VariantCommand.class,
      PicturesCommand.class
    })
@SuppressWarnings("NullAway.Init") // picocli sets the field
public final class BenchMain implements Runnable {
  @Spec private CommandSpec spec;

  private BenchMain() {}

  /** Runs one benchmark and ends the process: 0 done, 1 failed, 2 wrong usage. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  /** Runs one benchmark and gives the exit code. */
  public static int run(String... arguments) {
    return BenchCommandLine.run(new BenchMain(), arguments);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which benchmark? see --help");
  }
}
