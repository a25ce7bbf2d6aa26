package io.lockstep.bench.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.network.NetworkPoint.Flows;
import io.lockstep.bench.network.NetworkPoint.Masters;
import io.lockstep.bench.network.NetworkPoint.Use;
import io.lockstep.dataplane.topology.GeneratedTopology;
import org.junit.jupiter.api.Test;

class NetworkPointTest {
  private static final NetworkPoint BLANK =
      NetworkPoint.of(GeneratedTopology.parse("fat-tree:50").build(), "fat-tree:50", 2);

  private static final Use USE = new Use(2.00049, 1.2345, 123.456, 7);

  @Test
  void aPointSaysWhatTheNetworkHas() {
    assertThat(BLANK.switches()).isEqualTo(45);
    assertThat(BLANK.topology()).isEqualTo("fat-tree:50");
    assertThat(BLANK.domains()).isEqualTo(3);
    assertThat(BLANK.links()).isEqualTo(108);
    assertThat(BLANK.hosts()).isEqualTo(72);
    assertThat(BLANK.run()).isEqualTo(2);
  }

  @Test
  void figuresAreRoundedAndThoseWithoutMeaningAreNull() {
    NetworkPoint rest = BLANK.in("rest").ended(USE, null, null);
    assertThat(rest.seconds()).isEqualTo(2.0);
    assertThat(rest.cpuSeconds()).isEqualTo(1.23);
    assertThat(rest.residentMegabytes()).isEqualTo(123.5);
    assertThat(rest.instancesPerSecond()).isEqualTo(3.5);
    assertThat(rest.newFlows()).isNull();
    assertThat(rest.lostNewFlows()).isNull();
    assertThat(rest.p99NewFlowMillis()).isNull();
    assertThat(rest.newMasterMillis()).isNull();
    assertThat(rest.allMasteredMillis()).isNull();
    assertThat(rest.line())
        .isEqualTo(
            "  45 switches  run 2  rest         2.000 s  cpu   1.23 s  resident 123.5 MB"
                + "     3.5 instances/s");
  }

  @Test
  void aKillSaysWhatWasLostAndWhenTheMastersCame() {
    NetworkPoint kill = BLANK.in("kill").ended(USE, new Flows(100, 7, 12.5), new Masters(80, 950));
    assertThat(kill.newFlows()).isEqualTo(100);
    assertThat(kill.lostNewFlows()).isEqualTo(7);
    assertThat(kill.p99NewFlowMillis()).isEqualTo(12.5);
    assertThat(kill.newMasterMillis()).isEqualTo(80);
    assertThat(kill.allMasteredMillis()).isEqualTo(950);
    assertThat(kill.line())
        .endsWith("  new flows 100, lost 7, p99 12.5 ms  new master 80.0 ms, all 950.0 ms");
    assertThat(BLANK.in("kill").ended(USE, new Flows(3, 3, null), null).line())
        .endsWith("  new flows 3, lost 3, p99 -");
  }

  @Test
  void aPhaseThatDidNotEndHasNoFigures() {
    NetworkPoint linked = BLANK.in("linked");
    assertThat(linked.phase()).isEqualTo("linked");
    assertThat(linked.seconds()).isNull();
    assertThat(linked.cpuSeconds()).isNull();
    assertThat(linked.line()).isEqualTo("  45 switches  run 2  linked    did not end");
  }

  @Test
  void aPhaseOfNoLengthHasARateAllTheSame() {
    assertThat(BLANK.in("mastered").ended(new Use(0, 0, 1, 1), null, null).instancesPerSecond())
        .isEqualTo(1000);
  }
}
