package io.lockstep.core.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lockstep.core.probe.ProbeTarget.Flight;
import io.lockstep.core.probe.ProbeTarget.Group;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.onosproject.net.PortNumber;

/** Hardware or software, by packets whose machine stalls. */
class PathJudgeTest {
  private static final Structure STRUCTURE = new Structure(EnumSet.of(ProbeField.IN_PORT));

  /** Packets as a switch would return them. */
  private static final class Packets implements ProbeTarget {
    private final boolean software;

    /** Whether a flight, by its number from 0, is one of which nothing returns. */
    IntPredicate stalls = flight -> false;

    /** What both packets of a pair take in excess, and what each takes beside. */
    LongSupplier common = () -> 0;

    LongSupplier each = () -> 0;

    /** Straight back is faster than the way into hardware. */
    long hardwareNanos;

    /** How many of a burst a processor forwards. */
    int forwards = 70;

    int flown;

    Packets(boolean software) {
      this.software = software;
    }

    @Override
    public Flight fly(Structure structure, long cookie, int through, int straight) {
      if (stalls.test(flown++)) {
        return new Flight(new Group(through, 0, 0), new Group(straight, 0, 0), false);
      }
      long both = 50_000 + common.getAsLong();
      long straightNanos = both + each.getAsLong();
      long throughNanos = both + (software ? 300_000 : hardwareNanos) + each.getAsLong();
      int back = software ? Math.min(forwards, through) : through;
      return new Flight(
          new Group(through, back, throughNanos),
          new Group(straight, straight, straightNanos),
          straightNanos < throughNanos);
    }

    @Override
    public String openFlow() {
      return "1.3";
    }

    @Override
    public PortNumber port() {
      return PortNumber.portNumber(1);
    }

    @Override
    public long nanos() {
      return 0;
    }

    @Override
    public List<FlowModOutcome> change(List<FlowMod> mods) {
      throw new AssertionError("a judge changes nothing");
    }

    @Override
    public List<FlowStats> entries() {
      throw new AssertionError("a judge reads nothing");
    }

    @Override
    public long activeEntries(int table) {
      throw new AssertionError("a judge reads nothing");
    }
  }

  private static Location judge(Packets packets) throws ProbeException {
    return new PathJudge(packets).judge(STRUCTURE, 7);
  }

  private static Location truth(Packets packets) {
    return packets.software ? Location.SOFTWARE : Location.HARDWARE;
  }

  @Test
  void stallsOfAnyFlightsChangeNothing() throws ProbeException {
    for (long seed = 1; seed <= 4000; seed++) {
      Random random = new Random(seed);
      Packets packets = new Packets(random.nextBoolean());
      packets.stalls = flight -> random.nextInt(10) == 0;
      assertThat(judge(packets)).as("seed %d", seed).isEqualTo(truth(packets));
    }
  }

  @Test
  void noSingleStallEndsAJudgement() throws ProbeException {
    for (int stalled = 0; stalled < 40; stalled++) {
      for (boolean software : new boolean[] {false, true}) {
        Packets packets = new Packets(software);
        int first = stalled;
        packets.stalls = flight -> flight == first || flight == first + 1;
        assertThat(judge(packets)).as("stall at %d", stalled).isEqualTo(truth(packets));
      }
    }
  }

  /** Each packet is delayed by itself, most of them a lot: only the fastest tell. */
  @Test
  void loadThatDelaysEachPacketChangesNothing() throws ProbeException {
    for (long seed = 1; seed <= 4000; seed++) {
      Random random = new Random(seed);
      Packets packets = new Packets(random.nextBoolean());
      packets.each =
          () -> random.nextInt(3) == 0 ? 0 : (long) (Math.abs(random.nextGaussian()) * 5_000_000);
      assertThat(judge(packets)).as("seed %d", seed).isEqualTo(truth(packets));
    }
  }

  /** Not one packet is fast, but those that fly together stay in order. */
  @Test
  void hardwareIsKnownByTheOrderWhereNoTimeIsWorthAnything() throws ProbeException {
    for (long seed = 1; seed <= 1000; seed++) {
      Random random = new Random(seed);
      Packets packets = new Packets(false);
      packets.common = () -> (long) (Math.abs(random.nextGaussian()) * 20_000_000);
      assertThat(judge(packets)).as("seed %d", seed).isEqualTo(Location.HARDWARE);
      assertThat(packets.flown).as("it needs no second attempt").isEqualTo(14);
    }
  }

  @Test
  void hardwareThatIsFurtherThanStraightBackIsHardware() throws ProbeException {
    Packets packets = new Packets(false);
    packets.hardwareNanos = 60_000;
    assertThat(judge(packets)).isEqualTo(Location.HARDWARE);
  }

  @Test
  void processorThatForwardsEveryPacketIsKnownByItsLatency() throws ProbeException {
    Packets packets = new Packets(true);
    packets.forwards = Integer.MAX_VALUE;
    assertThat(judge(packets)).isEqualTo(Location.SOFTWARE);
  }

  @Test
  void switchThatReturnsNothingIsAskedAgainAndThenGivenUp() {
    Packets packets = new Packets(false);
    packets.stalls = flight -> true;
    assertThatExceptionOfType(ProbeException.class)
        .isThrownBy(() -> judge(packets))
        .withMessageContaining("packets to the controller do not come back");
    assertThat(packets.flown).as("three attempts of two pairs").isEqualTo(6);
  }

  @Test
  void ruleThatSendsNothingBackIsNamed() {
    Packets packets = new Packets(true);
    packets.forwards = 0;
    assertThatExceptionOfType(ProbeException.class)
        .isThrownBy(() -> judge(packets))
        .withMessageContaining("no packet comes back through a rule on in_port");
  }
}
