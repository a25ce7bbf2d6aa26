package io.lockstep.dataplane.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.lockstep.dataplane.flowtable.FlowMatch;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.profile.ProfileFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Constant rates and mixes of flows through a switch with rules in both places. */
class MixTest {
  private static final int RULES = 60;

  /** A rule for each TCP port, in order; the first 46 fit in 10 % of the 2920's hardware. */
  private static List<OneWay> waysByRules(Testbed one) {
    List<OneWay> ways = new ArrayList<>();
    for (int i = 0; i < RULES; i++) {
      FlowMatch match =
          FlowMatch.builder()
              .exact(OxmField.IN_PORT, 1)
              .exact(OxmField.ETH_TYPE, 0x800)
              .exact(OxmField.IP_PROTO, 6)
              .exact(OxmField.TCP_DST, 1000 + i)
              .build();
      Rules.add(one, match, 2);
      ways.add(one.forth(1000 + i));
    }
    return ways;
  }

  private static Testbed tenPercent() throws IOException {
    return new Testbed(ProfileFile.builtIn("2920").withPolicyShare(10));
  }

  @Test
  void aConstantRateBelowTheLimitArrivesAndAboveIsCut() throws IOException {
    Testbed one = tenPercent();
    List<OneWay> ways = waysByRules(one);
    ConstantFlow below = new ConstantFlow(ways.get(RULES - 1), 1000, 1000);
    below.start();
    Load load = one.run(below, 10);
    assertThat(below.sent() - below.delivered()).isBetween(0L, 2L);
    assertThat(load.mbit()).isCloseTo(8, within(0.01));
    assertThat(load.cpuPercent()).isCloseTo(2 + 30, within(0.1));
    ConstantFlow above = new ConstantFlow(ways.get(RULES - 2), 5000, 1000);
    above.start();
    Load both = one.run(above, 10);
    assertThat(both.cpuPercent()).isCloseTo(2 + 60, within(0.2));
    assertThat((above.delivered() + below.delivered() - 10_000) / 10.0)
        .as("packets a second of both together")
        .isCloseTo(2000, within(5.0));
    assertThatThrownBy(() -> new ConstantFlow(ways.get(0), 0, 64))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void ofAMixTheRulesInHardwareGetAllThrough() throws IOException {
    Testbed one = tenPercent();
    ZipfMix mix = new ZipfMix(waysByRules(one), 1, 50_000, 500, new Random(5));
    mix.start();
    Load load = one.run(mix, 10);
    assertThat(load.inHardware()).isEqualTo(46);
    assertThat(load.inSoftware()).isEqualTo(14);
    long slowSent = 0;
    long slowArrived = 0;
    for (int k = 0; k < RULES; k++) {
      assertThat(mix.sent(k) / 500_000.0).isCloseTo(mix.share(k), within(0.003));
      if (k < 46) {
        assertThat(mix.sent(k) - mix.delivered(k)).isBetween(0L, 3L);
      } else {
        slowSent += mix.sent(k);
        slowArrived += mix.delivered(k);
      }
    }
    assertThat(slowSent).as("more than software forwards").isGreaterThan(22_000);
    assertThat(slowArrived / 10.0).isCloseTo(2000, within(10.0));
  }

  @Test
  void sharesFallWithTheRankAndSumToOne() throws IOException {
    List<OneWay> ways = waysByRules(tenPercent());
    ZipfMix mix = new ZipfMix(ways, 1.2, 1, 64, new Random(1));
    double sum = 0;
    for (int k = 0; k < RULES; k++) {
      sum += mix.share(k);
      assertThat(mix.share(k)).isCloseTo(mix.share(0) / Math.pow(k + 1, 1.2), within(1e-9));
    }
    assertThat(sum).isCloseTo(1, within(1e-9));
    assertThat(new ZipfMix(ways, 0, 1, 64, new Random(1)).share(7))
        .isCloseTo(1.0 / RULES, within(1e-9));
  }
}
