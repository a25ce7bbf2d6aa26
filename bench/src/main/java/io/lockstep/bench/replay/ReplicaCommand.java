package io.lockstep.bench.replay;

import io.lockstep.bench.peers.LockstepAdapter;
import io.lockstep.bench.runs.BenchCommandLine;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.bftsmart.BftSmartReplica;
import io.lockstep.store.engine.bftsmart.LogOpener;
import io.lockstep.store.engine.bftsmart.ReplicaConfig;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.log.MemoryLog;
import io.lockstep.store.log.disk.DiskLog;
import io.lockstep.store.log.disk.DiskLogOptions;
import io.lockstep.store.log.disk.FileStorage;
import io.lockstep.store.log.disk.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench replica}: one replica of the store that benchmarks replay against. */
@Command(
    name = "replica",
    description =
        "Runs one replica of the store, with the micro components of the replayed workloads, until"
            + " it is stopped: for ./lockstep bench replay --replicas and figures --replicas.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class ReplicaCommand implements Callable<Integer> {
  private static final int HALTED = 10;

  @Spec private CommandSpec spec;

  @Option(
      names = "--id",
      required = true,
      paramLabel = "N",
      description = "Its place among --replicas, from 0.")
  private int id;

  @Option(
      names = "--replicas",
      required = true,
      paramLabel = "HOST:PORT,...",
      description = "All replicas in the same order everywhere; each uses its port and the next.")
  private String replicas;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Keeps the state in this directory, on disk; without it, in memory.")
  private @Nullable Path data;

  @Option(
      names = "--with-parent",
      description = "Ends when its standard input ends, so that it cannot outlive its parent.")
  private boolean withParent;

  /** A process that runs nothing else. */
  public static void main(String[] arguments) {
    System.exit(BenchCommandLine.run(new ReplicaCommand(), arguments));
  }

  @Override
  public Integer call() throws BenchException, IOException, InterruptedException {
    List<Member> members = Replicas.parse(replicas);
    if (id < 0 || id >= members.size()) {
      throw new ParameterException(
          spec.commandLine(), "--id: 0 to " + (members.size() - 1) + ", not " + id);
    }
    List<MicroComponent> components = new ArrayList<>(LockstepAdapter.components());
    components.add(new WriteAndReturn());
    try (BftSmartReplica replica =
        BftSmartReplica.start(
            ReplicaConfig.of(Replicas.CLUSTER, id, members),
            new StoreStateMachine(components),
            log(),
            reason -> {
              LoggerFactory.getLogger(ReplicaCommand.class).error("the replica halts: {}", reason);
              Runtime.getRuntime().halt(HALTED);
            })) {
      spec.commandLine().getOut().println("replica " + id + " of " + Replicas.text(members));
      spec.commandLine().getOut().flush();
      awaitEnd();
      LoggerFactory.getLogger(ReplicaCommand.class).info("{}", replica.status());
    }
    return 0;
  }

  private LogOpener log() throws IOException {
    Path directory = data;
    if (directory == null) {
      return onFailure -> new MemoryLog(MemoryLog.Bounds.STANDARD);
    }
    Files.createDirectories(directory);
    return onFailure ->
        DiskLog.open(
            FileStorage.open(directory),
            new Identity(Replicas.CLUSTER, id),
            DiskLogOptions.usual(),
            failure -> onFailure.accept(failure.toString()));
  }

  private void awaitEnd() throws IOException, InterruptedException {
    if (!withParent) {
      new CountDownLatch(1).await();
    }
    while (System.in.read() >= 0) {
      // Until the parent is gone.
    }
  }
}
