package io.lockstep.dataplane.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.flowtable.FlowMatch;
import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.profile.ProfileFile;
import io.lockstep.dataplane.profile.SoftwareProfile;
import java.io.IOException;
import java.util.Objects;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Section 5.2 of "Performance Analysis of SDN Switches with Hardware and Software Flow Tables": 941
 * Mbit/s through hardware, 14 and 64 through software of 2000 and 10000 packets a second.
 */
class TcpFlowTest {
  private static final Percentage A_FIFTH = Percentage.withPercentage(20);

  private static Load measured(Testbed one) {
    TcpFlow flow = one.iperf();
    flow.start();
    one.run(flow, 2);
    return one.run(flow, 10);
  }

  private static Testbed slow(HardwareProfile profile) {
    Testbed one = new Testbed(profile);
    Rules.add(one, 1, false);
    Rules.add(one, 2, false);
    return one;
  }

  @Test
  void hardwareForwardsAtLineRate() throws IOException {
    Testbed one = new Testbed(ProfileFile.builtIn("2920"));
    Rules.add(one, 1, true);
    Rules.add(one, 2, true);
    Load load = measured(one);
    assertThat(load.mbit()).isBetween(940.0, 942.0);
    assertThat(load.cpuPercent()).isEqualTo(2);
    assertThat(load.inHardware()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"2920, 14", "3500yl-1.0, 64"})
  void softwareForwardsWhatWasMeasured(String name, double mbit) throws IOException {
    Load load = measured(slow(ProfileFile.builtIn(name)));
    assertThat(load.mbit()).isCloseTo(mbit, A_FIFTH);
    assertThat(load.cpuPercent()).isBetween(50.0, 90.0);
  }

  /** The guessed sizes of bucket and queue do not make the figure. */
  @ParameterizedTest
  @CsvSource({"1, 8", "1, 128", "10, 16", "50, 64", "200, 8"})
  void theFigureDoesNotHangOnTheSizeOfTheQueue(int burst, int queue) throws IOException {
    HardwareProfile profile = ProfileFile.builtIn("2920");
    SoftwareProfile built = Objects.requireNonNull(profile.software());
    SoftwareProfile other =
        new SoftwareProfile(
            2000, 2000, burst, queue, built.latencyMicros(), built.cpuMicrosPerPacket());
    assertThat(measured(slow(profile.withSoftware(other))).mbit()).isCloseTo(14, A_FIFTH);
  }

  /** With acknowledgements in hardware the bucket is the data's alone: 2000 x 1448 bytes. */
  @Test
  void theSharedBucketIsWhatItComesFrom() throws IOException {
    Testbed one = new Testbed(ProfileFile.builtIn("2920"));
    Rules.add(one, 1, false);
    Rules.add(one, 2, true);
    assertThat(measured(one).mbit()).isBetween(22.0, 23.3);
  }

  @Test
  void throughputAndLoadRiseWithTheRate() throws IOException {
    Load before = null;
    for (int rate = 500; rate <= 2000; rate += 500) {
      HardwareProfile profile = ProfileFile.builtIn("2920").withSoftwareRate(rate);
      Load load = measured(slow(profile));
      if (before != null) {
        assertThat(load.mbit()).isGreaterThan(before.mbit() * 1.1);
        assertThat(load.cpuPercent()).isGreaterThan(before.cpuPercent());
      }
      before = load;
    }
  }

  @Test
  void aConnectionOutlivesAnOutage() throws IOException {
    Testbed one = slow(ProfileFile.builtIn("2920"));
    TcpFlow flow = one.iperf();
    flow.start();
    assertThat(one.run(flow, 2).mbit()).isGreaterThan(10);
    one.apply(FlowMod.delete(FlowMatch.ANY));
    one.run(flow, 0.1);
    assertThat(one.run(flow, 3).mbit()).isZero();
    Rules.add(one, 1, true);
    Rules.add(one, 2, true);
    one.run(flow, 5);
    assertThat(one.run(flow, 1).mbit()).isGreaterThan(900);
    assertThat(flow.retransmissions()).isPositive();
  }

  @Test
  void theSameRunGivesTheSameFigures() throws IOException {
    Load first = measured(slow(ProfileFile.builtIn("3500yl-1.0")));
    assertThat(measured(slow(ProfileFile.builtIn("3500yl-1.0")))).isEqualTo(first);
  }
}
