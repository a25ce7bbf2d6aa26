package io.lockstep.bench.store;

import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.runs.ChildJvm;
import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Three replicas in processes of their own, on free ports of loopback. Used by one thread. */
final class ReplicaProcesses implements AutoCloseable {
  static final String CLUSTER = "bench";
  private static final int REPLICAS = 3;

  private final PortBlock ports = PortBlock.take();
  private final List<ChildJvm> replicas = new ArrayList<>();

  /**
   * Starts them.
   *
   * @param directory of their logs
   * @param flags of their virtual machines
   */
  ReplicaProcesses(Path directory, List<String> flags) throws IOException {
    try {
      for (int id = 0; id < REPLICAS; id++) {
        List<String> arguments = new ArrayList<>(List.of(CLUSTER, String.valueOf(id)));
        portNumbers().forEach(port -> arguments.add(port.toString()));
        replicas.add(
            ChildJvm.start("replica-" + id, directory, flags, ReplicaMain.class, arguments));
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private List<Integer> portNumbers() {
    List<Integer> numbers = new ArrayList<>();
    for (int id = 0; id < REPLICAS; id++) {
      numbers.add(ports.port(1 + 2 * id));
    }
    return numbers;
  }

  /** Where they listen. */
  List<Member> members() {
    return ReplicaMain.members(portNumbers());
  }

  /** The processes. */
  List<ProcessHandle> handles() {
    return replicas.stream().map(ChildJvm::handle).toList();
  }

  /** Fails where one of them has ended. */
  void checkAlive() throws BenchException, IOException {
    for (ChildJvm replica : replicas) {
      String obituary = replica.obituary();
      if (!obituary.isEmpty()) {
        throw new BenchException(obituary);
      }
    }
  }

  @Override
  public void close() {
    replicas.forEach(ChildJvm::close);
    ports.close();
  }
}
