package io.lockstep.deploy.launch;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.config.SettingsReader;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.keys.KeyFiles;
import io.lockstep.keys.LinkKeys;
import io.lockstep.keys.PeerIdentity;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterPlanTest {
  @TempDir private Path directory;

  @Test
  void everyConfigurationItWritesIsGoodAndAgreesWithItsPorts() throws Exception {
    try (PortBlock ports = PortBlock.take()) {
      ClusterPlan plan =
          new ClusterPlan(
              directory,
              "demo",
              3,
              ports,
              List.of(
                  new DomainPlan("west", List.of(1L, 2L), 0),
                  new DomainPlan("east", List.of(16L), 1)),
              "timeouts: {leaseMillis: 2000}\n");
      plan.writeConfigurations();
      for (int node = 0; node < 3; node++) {
        NodeSettings settings =
            SettingsReader.read(plan.configFile(node), SettingsReader.Role.NODE);
        assertThat(settings.nodeId()).isEqualTo(plan.nodeId(node));
        assertThat(settings.openflow().port()).isEqualTo(plan.openflowPort(node));
        assertThat(settings.admin().port()).isEqualTo(plan.adminPort(node));
        assertThat(settings.replicas().get(node).storePort()).isEqualTo(plan.storePort(node));
        assertThat(settings.domains().get(1).preferredMasters()).containsExactly("n2", "n3", "n1");
        assertThat(settings.domains().get(1).switches().get(0).first()).isEqualTo(16);
        assertThat(settings.timeouts().leaseMillis()).isEqualTo(2000);
      }
    }
  }

  @Test
  void keysThatItMakesAreOfTheirNodes() throws Exception {
    try (PortBlock ports = PortBlock.take()) {
      ClusterPlan plan = new ClusterPlan(directory, "demo", 3, ports, List.of(), "");
      plan.writeConfigurationsWithKeys();
      for (int node = 0; node < 3; node++) {
        NodeSettings settings =
            SettingsReader.read(plan.configFile(node), SettingsReader.Role.NODE);
        KeyFiles files = requireNonNull(settings.security().keys());
        PeerIdentity own = LinkKeys.open(files, InstantSource.system()).own();
        assertThat(own.name()).isEqualTo(plan.nodeId(node));
        assertThat(own.cluster()).isEqualTo("demo");
      }
    }
  }
}
