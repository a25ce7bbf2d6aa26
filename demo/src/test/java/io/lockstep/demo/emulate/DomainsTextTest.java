package io.lockstep.demo.emulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.dataplane.topology.GeneratedTopology;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.dataplane.topology.Topology;
import io.lockstep.dataplane.topology.TopologyFile;
import io.lockstep.deploy.config.DomainsFile;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DomainsTextTest {
  /** The text, which a node takes, too. */
  private static String accepted(Topology topology) throws Exception {
    String text = DomainsText.of(topology);
    assertThat(DomainsFile.parse("domains.yaml", text, Set.of("n1", "n2", "n3")).version())
        .isEmpty();
    return text;
  }

  @Test
  void neighboursAreRangesInHexadecimal() {
    assertThat(DomainsText.of(GeneratedTopology.parse("random:400").build()))
        .isEqualTo(
            """
            # random:400
            domains:
              - {name: "domain1", switches: [1-85]}
              - {name: "domain2", switches: [86-10a]}
              - {name: "domain3", switches: [10b-190]}
            """);
  }

  @Test
  void aNodeReadsEachShape() throws Exception {
    for (String shape : new String[] {"fat-tree:80", "ring-of-rings:100", "random:1000"}) {
      assertThat(accepted(GeneratedTopology.parse(shape).build()))
          .as(shape)
          .contains("\"domain1\"", "\"domain2\"", "\"domain3\"");
    }
    assertThat(accepted(GeneratedTopology.parse("fat-tree:20").build()))
        .as("pods and core switches")
        .contains("switches: [1-8, 14]", "switches: [9-c, 13]", "switches: [d-12]");
  }

  @Test
  void idsOfAFileMayLieApart() throws Exception {
    Topology topology =
        TopologyFile.parse(
            "x",
            """
            switches:
              - {name: a, dpid: "ff:f0:00:00:00:00:00:01", domain: far}
              - {name: b, dpid: 7, domain: other}
              - {name: c, dpid: 9, domain: other}
            """);
    assertThat(DomainsText.of(topology))
        .contains("\"other\", switches: [7, 9]", "\"far\", switches: [fff0000000000001]");
    assertThat(accepted(topology)).contains("7, 9", "fff0000000000001");
    assertThat(accepted(Topologies.twoDomains(4, 1))).contains("west", "[1-4]", "[5-8]");
  }

  @Test
  void aNameThatNodesDoNotTakeIsRefused() {
    Topology topology =
        TopologyFile.parse("x", "switches: [{name: a, dpid: 1, domain: 'my domain'}]");
    assertThatThrownBy(() -> DomainsText.of(topology))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("domain 'my domain'")
        .hasMessageContaining("correct it in the topology");
  }
}
