package io.lockstep.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.cluster.ListedProcess.Kind;
import io.lockstep.store.machine.ReplacedMachine;
import io.lockstep.store.machine.ReplacedMachines;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachineAddressesTest {
  private static final ReplacedMachines SECOND =
      new ReplacedMachines(List.of(new ReplacedMachine(1, 7, "10.0.0.9", 7200, true)));

  private static List<ListedProcess> file(String host, int storePort) {
    return List.of(
        new ListedProcess(Kind.NODE, "n1", "10.0.0.1", 7102),
        new ListedProcess(Kind.NODE, "n2", host, storePort + 2),
        new ListedProcess(Kind.REPLICA, "n2", host, storePort),
        new ListedProcess(Kind.REPLICA, "n1", "10.0.0.1", 7100));
  }

  @Test
  void replacedMachineIsWhereTheStoreSaysInEachFile() {
    List<ListedProcess> before = MachineAddresses.applied(file("10.0.0.2", 7100), SECOND);
    assertThat(before).isEqualTo(file("10.0.0.9", 7200));
    assertThat(MachineAddresses.applied(file("10.0.0.9", 7200), SECOND)).isEqualTo(before);
  }

  @Test
  void nothingChangesWhereNothingWasReplaced() {
    List<ListedProcess> file = file("10.0.0.2", 7100);
    assertThat(MachineAddresses.applied(file, ReplacedMachines.NONE)).isSameAs(file);
    assertThat(MachineAddresses.applied(file.subList(0, 2), SECOND)).isEqualTo(file.subList(0, 2));
  }
}
