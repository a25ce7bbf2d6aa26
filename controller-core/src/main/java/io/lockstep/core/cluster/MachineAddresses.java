package io.lockstep.core.cluster;

import io.lockstep.core.cluster.ListedProcess.Kind;
import io.lockstep.store.machine.ReplacedMachine;
import io.lockstep.store.machine.ReplacedMachines;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts the addresses of replaced machines into a list of processes, in place of those of the file:
 * the store's address counts (docs/adr/0044). A node is where its replica is, and its port keeps
 * its distance to the replica's. Pure.
 */
public final class MachineAddresses {
  private MachineAddresses() {}

  /**
   * The list with the addresses of the store.
   *
   * @param processes as a file lists them
   */
  public static List<ListedProcess> applied(
      List<ListedProcess> processes, ReplacedMachines machines) {
    if (machines.rows().isEmpty()) {
      return processes;
    }
    List<ListedProcess> replicas =
        processes.stream()
            .filter(one -> one.kind() == Kind.REPLICA)
            .sorted(ListedProcess.ORDER)
            .toList();
    Map<String, Moved> moved = new HashMap<>();
    for (int number = 0; number < replicas.size(); number++) {
      ReplacedMachine row = machines.of(number);
      if (row != null) {
        moved.put(replicas.get(number).id(), new Moved(replicas.get(number), row));
      }
    }
    return processes.stream()
        .map(one -> moved.containsKey(one.id()) ? moved.get(one.id()).of(one) : one)
        .toList();
  }

  private record Moved(ListedProcess replica, ReplacedMachine row) {
    ListedProcess of(ListedProcess one) {
      int port = one.port() == 0 ? 0 : one.port() + row.port() - replica.port();
      return new ListedProcess(one.kind(), one.id(), row.host(), port);
    }
  }
}
