package io.lockstep.bench.store;

import io.lockstep.apps.Applications;
import io.lockstep.bench.measure.WarmUpLoad.Warmth;
import io.lockstep.bench.process.CpuMeter;
import io.lockstep.bench.process.RunDirectory;
import io.lockstep.bench.result.RunOptions;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.runs.ChildJvm;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderingClient;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import io.lockstep.store.engine.local.LocalEngine;
import java.io.IOException;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench store}: operations per second and latency of the replicated store. */
@Command(
    name = "store",
    description =
        "Starts three replicas in processes of their own and runs workloads against "
            + "them through one client: flows per second and their latency.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class StoreCommand implements Callable<Integer> {
  /** What orders the operations. */
  enum Engine {
    /** Three replica processes. */
    REPLICATED,
    /** One thread in this process: what client and state machine alone can do. */
    LOCAL
  }

  private static final int LOCAL_WINDOW = 1024;
  private static final int RETRY_MILLIS = 500;

  @Spec private CommandSpec spec;

  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "put,get,ls-ucast-init,ls-ucast-micro",
      description = "What to run (${DEFAULT-VALUE}).")
  private List<String> workloads;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      defaultValue = "replicated",
      description = "replicated, or local: one thread in this process (${DEFAULT-VALUE}).")
  private Engine engine;

  @Option(
      names = "--replica-flags",
      split = ",",
      paramLabel = "FLAG",
      description = "Flags of the replicas' virtual machines, beside those of a node.")
  private List<String> replicaFlags = List.of();

  @Mixin private RunOptions options;

  @Override
  public Integer call() throws BenchException, InterruptedException, IOException {
    for (String name : workloads) {
      if (Workloads.named(name) == null) {
        throw new ParameterException(
            spec.commandLine(),
            "--workloads: '" + name + "' is none of " + String.join(", ", Workloads.names()));
      }
    }
    options.write(engine == Engine.LOCAL ? local() : replicated());
    return 0;
  }

  private List<StorePoint> local() throws BenchException, InterruptedException {
    try (LocalEngine local =
        LocalEngine.start(new StoreStateMachine(Applications.microComponents()))) {
      return run(local.connect(LOCAL_WINDOW), List.of());
    }
  }

  private List<StorePoint> replicated() throws BenchException, InterruptedException, IOException {
    RunDirectory directory = RunDirectory.create("store");
    List<String> flags = new ArrayList<>(ChildJvm.NODE_FLAGS);
    flags.addAll(replicaFlags);
    List<StorePoint> points;
    try (ReplicaProcesses replicas = new ReplicaProcesses(directory.path(), flags)) {
      ClientConfig usual = ClientConfig.of(ReplicaProcesses.CLUSTER, replicas.members(), 0);
      int deadlineMillis = Math.max(RETRY_MILLIS, options.schedule().deadlineMillis());
      ClientConfig config =
          new ClientConfig(
              usual.clusterId(),
              usual.members(),
              usual.clientId(),
              usual.window(),
              usual.maxRequestBytes(),
              RETRY_MILLIS,
              deadlineMillis);
      try {
        points = run(BftSmartClient.connect(config), replicas.handles());
      } catch (BenchException e) {
        replicas.checkAlive();
        throw new BenchException(e.getMessage() + " (logs: " + directory.path() + ")", e);
      }
    }
    directory.remove();
    return points;
  }

  private List<StorePoint> run(OrderingClient ordering, List<ProcessHandle> servers)
      throws BenchException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    List<StorePoint> points = new ArrayList<>();
    try (BatchingStoreClient client =
        BatchingStoreClient.open(
            ordering,
            ClientOptions.of("bench").withTables(Workloads.tables()),
            System::nanoTime,
            new SecureRandom()::nextLong)) {
      StoreLoad load = new StoreLoad(client, new CpuMeter(servers));
      for (String name : workloads) {
        Workload workload = Workloads.named(name);
        if (workload == null) {
          throw new IllegalStateException(name);
        }
        load.prepare(workload);
        for (int inFlight : options.inFlight()) {
          Warmth warmth =
              options
                  .warmUp()
                  .<BenchException>run(
                      seconds ->
                          load.measure(name, workload, inFlight, options.schedule(seconds))
                              .slice());
          StorePoint point =
              load.measure(name, workload, inFlight, options.schedule()).after(warmth);
          out.printf("%-15s %s%s%n", name, point.flows().line(), warmth.words());
          out.flush();
          points.add(point);
        }
      }
    }
    return points;
  }
}
