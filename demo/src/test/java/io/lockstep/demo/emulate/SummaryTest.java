package io.lockstep.demo.emulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.network.NetworkStats;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.dataplane.topology.Topology;
import io.lockstep.demo.emulate.Progress.Connected;
import io.lockstep.demo.emulate.Progress.Traffic;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SummaryTest {
  private static final Topology TOPOLOGY = Topologies.ring(4, 2);
  private static final NetworkStats STATS = new NetworkStats(1, 2, 3, 4, 5, 6, 7, 8, 9);

  private static Progress last(@Nullable Integer mastered, PingTally.Counts pings) {
    return new Progress(
        61_500,
        4,
        0,
        List.of(new Connected("c1", 4, null), new Connected("c2", 1, "no HELLO in time")),
        mastered,
        List.of(),
        new Traffic(1, 4, pings));
  }

  @Test
  void itSaysWhatHappened() {
    PingTally.Counts pings = new PingTally.Counts(10, 8, 2, 1_234_567, 20_000_000, 30_000_000);
    assertThat(new Summary(TOPOLOGY, last(4, pings), STATS, 2_000L, 2_500L).lines())
        .containsExactly(
            "ring-4: 4 switches, 4 links, 8 hosts for 61.5 s",
            "  c1: at the end 4 of 4 switches connected",
            "  c2: at the end 1 of 4 switches connected (no HELLO in time)",
            "  all connected: after 2.0 s; all with a master: after 2.5 s, at the end 4 with one",
            "  1 frames carried, 2 lost on cables, 3 ended in switches",
            "  4 packet-ins, 6 packet-outs, 7 flow-mods, 8 errors, 9 connections made",
            "  pings: 10 sent, 8 answered, 2 lost; round trip median 1.23, p99 20.00, longest 30.00"
                + " ms");
  }

  @Test
  void whatNeverHappenedIsSaid() {
    assertThat(new Summary(TOPOLOGY, last(null, PingTally.Counts.NONE), STATS, null, null).lines())
        .contains("  all connected: never; all with a master: - (no controller took a role)")
        .noneMatch(line -> line.contains("pings"));
  }
}
