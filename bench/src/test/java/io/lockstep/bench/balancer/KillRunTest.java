package io.lockstep.bench.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.topology.Topology;
import io.lockstep.dataplane.topology.Topology.HostSpec;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the run with a killed node is made of, without nodes. */
class KillRunTest {
  private final Topology topology = KillRun.topology();

  @Test
  void eachNodeMastersOneDomain() {
    List<DomainPlan> domains = KillRun.domains(topology);
    assertThat(domains).extracting(DomainPlan::firstMaster).containsExactly(0, 1, 2);
    assertThat(domains.stream().flatMap(domain -> domain.dpids().stream()))
        .as("all switches, each once")
        .hasSize(topology.switches().size())
        .doesNotHaveDuplicates();
  }

  @Test
  void membersAndClientsAreInAllDomains() {
    List<String> members = new ArrayList<>();
    List<String> clients = new ArrayList<>();
    List<HostSpec> hosts = topology.hosts();
    for (int i = 0; i < hosts.size(); i++) {
      String domain = topology.switchNamed(hosts.get(i).at().switchName()).domain();
      (KillRun.isMember(i, hosts.size()) ? members : clients).add(domain);
    }
    assertThat(members).hasSize(4).contains("west", "east", "south");
    assertThat(clients).hasSize(32).contains("west", "east", "south");
  }
}
