package io.lockstep.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.openflow.LoadPlan;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeProcessesTest {
  @Test
  void switchesAreDividedAmongTheNodes() {
    List<DomainPlan> domains = NodeProcesses.domains(new LoadPlan(16, 4, 8, 1));
    assertThat(domains).extracting(DomainPlan::firstMaster).containsExactly(0, 1, 2);
    assertThat(domains).extracting(domain -> domain.dpids().size()).containsExactly(5, 5, 6);
    assertThat(domains.stream().flatMap(domain -> domain.dpids().stream()))
        .hasSize(16)
        .doesNotHaveDuplicates()
        .contains(1L, 16L);
  }

  @Test
  void aSingleSwitchIsOneDomain() {
    assertThat(NodeProcesses.domains(new LoadPlan(1, 4, 8, 7)))
        .extracting(DomainPlan::dpids)
        .containsExactly(List.of(7L));
  }
}
