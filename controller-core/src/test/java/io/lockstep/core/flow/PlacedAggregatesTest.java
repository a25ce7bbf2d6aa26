package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.oracle.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpPrefix;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;

/**
 * Many idle rules above entries that carry the traffic: one cover stands for all of them (ADR
 * 0051). The switch is watched, so that each step is exact; half of the packets that it is watched
 * with are for addresses between the idle rules, or for theirs.
 */
class PlacedAggregatesTest {
  private static final int IDLE = 200;
  private static final int PAIRS = 110;
  private static final int PLACES = 127;
  private static final long READING_MILLIS = 5_000;
  private static final int STEADY_MINUTES = Integer.getInteger("placed.minutes", 2);
  private static final int IDLE_NET = 0x0a63_0000;
  private static final int WORLD = 0x0b00_0000;

  private final Random random = new Random(Long.getLong("placed.seed", 61));
  private final PlacedBench bench = new PlacedBench(PlacedBench.twoTables(PLACES + 1, 0), random);
  private final List<FlowRule> idle = new ArrayList<>();
  private final List<FlowRule> pairs = new ArrayList<>();

  PlacedAggregatesTest() {
    bench.device.with(
        tables -> {
          tables.limit(0, PLACES + 1);
          return null;
        });
    for (int i = 0; i < IDLE; i++) {
      String address = "10.99." + i / 100 + "." + (1 + i % 100) + "/32";
      idle.add(PlacedBench.rule(40_000, PlacedBench.net(address), 9));
    }
    for (int i = 0; i < PAIRS; i++) {
      pairs.add(PlacedBench.rule(10, source(i), 1 + i % 5));
    }
    bench.device.packets = this::anyPacket;
    bench.master();
    bench.ready();
    bench.settled();
    bench.device.watched = true;
  }

  @AfterEach
  void close() {
    bench.close();
    assertThat(bench.device.wrong()).isEmpty();
  }

  /** As an entry of the learning switch it overlaps every rule on a destination. */
  private static TrafficSelector source(int pair) {
    return DefaultTrafficSelector.builder()
        .matchEthType((short) 0x800)
        .matchInPort(PortNumber.portNumber(1 + pair % 3))
        .matchIPSrc(IpPrefix.valueOf("10.0." + pair + ".0/24"))
        .build();
  }

  private Frame packet(int pair, boolean toIdleNet) {
    int to = toIdleNet ? IDLE_NET | random.nextInt(2) << 8 | random.nextInt(128) : WORLD;
    int from = 0x0a00_0000 | pair << 8 | random.nextInt(256);
    return new Frame(1 + pair % 3, from, to | random.nextInt(2), 80);
  }

  private Frame anyPacket(Random any) {
    return any.nextInt(8) == 0 ? Frame.random(any) : packet(any.nextInt(PAIRS), any.nextBoolean());
  }

  /** Traffic of 1/k, a hundredth of it for addresses between the idle rules; and a reading. */
  private double reading() {
    bench.clockMillis.addAndGet(READING_MILLIS);
    double share =
        bench.device.with(
            tables -> {
              tables.nowSeconds += READING_MILLIS / 1000;
              double hardware = 0;
              double all = 0;
              for (int pair = 0; pair < PAIRS; pair++) {
                long bytes = (long) (1e7 / (1 + pair) * (0.9 + 0.2 * random.nextDouble()));
                hardware += tables.carry(packet(pair, false), bytes) == 0 ? bytes : 0;
                hardware += tables.carry(packet(pair, true), bytes / 100) == 0 ? bytes / 100 : 0;
                all += bytes + bytes / 100;
              }
              return hardware / all;
            });
    bench.readBack();
    bench.settled();
    return share;
  }

  private void install(List<FlowRule> rules) {
    bench.rules.applyFlowRules(rules.toArray(FlowRule[]::new));
    PlacedBench.await(
        "all are there",
        () -> rules.stream().allMatch(rule -> bench.stateOf(rule) == FlowEntryState.ADDED));
    bench.settled();
  }

  private int flowMods() {
    return bench.device.<Integer>with(tables -> tables.flowMods);
  }

  private void served() {
    double share = 0;
    for (int i = 0; i < 10 && share < 0.95; i++) {
      share = reading();
    }
    assertThat(share).isGreaterThanOrEqualTo(0.95);
  }

  @Test
  void idleRulesAboveLearnedEntriesLeaveTheirTrafficInHardware() {
    install(idle);
    install(pairs);
    int before = flowMods();
    double first = reading();
    List<String> shares = new ArrayList<>();
    double share = first;
    for (int i = 0; i < 10; i++) {
      share = reading();
      shares.add(String.format("%.3f", share));
    }
    System.out.printf(
        "%d idle rules above %d entries on %d places: share %.3f, then %s with %d flow-mods%n",
        IDLE, PAIRS, PLACES, first, shares, flowMods() - before);
    assertThat(first).isLessThan(0.1);
    assertThat(share).isGreaterThanOrEqualTo(0.95);
    int steady = flowMods();
    List<Integer> minutes = new ArrayList<>();
    for (int minute = 0; minute < STEADY_MINUTES; minute++) {
      int sofar = flowMods();
      for (long millis = 0; millis < 60_000; millis += READING_MILLIS) {
        reading();
      }
      minutes.add(flowMods() - sofar);
    }
    System.out.printf("flow-mods in each minute of steady traffic: %s%n", minutes);
    assertThat(flowMods() - steady).isLessThanOrEqualTo(20);
    assertThat(Objects.requireNonNull(bench.explain(pairs.get(0))).why())
        .anyMatch(why -> why.contains("a copy in second serves its packets"));
  }

  @Test
  void rulesComeGoAndChangeAboveAndBelowACoverThatStandsForMany() {
    install(idle);
    install(pairs);
    served();
    for (int i = 0; i < 10; i++) {
      FlowRule pair = pairs.get(i);
      FlowRule changed = PlacedBench.rule(10, source(i), 6);
      bench.rules.applyFlowRules(changed);
      bench.awaitState(changed, FlowEntryState.ADDED);
      bench.rules.removeFlowRules(idle.get(7 * i), changed);
      bench.awaitState(changed, FlowEntryState.REMOVED);
      bench.awaitState(idle.get(7 * i), FlowEntryState.REMOVED);
      install(List.of(pair, idle.get(7 * i)));
    }
    served();
    bench.rules.removeFlowRules(idle.toArray(FlowRule[]::new));
    for (FlowRule rule : idle) {
      bench.awaitState(rule, FlowEntryState.REMOVED);
    }
    served();
  }

  @Test
  void aNewMasterKeepsTheCoverThatStandsForMany() {
    install(idle);
    install(pairs);
    served();
    int entries = bench.device.<Integer>with(tables -> tables.count(0) + tables.count(1));
    int before = flowMods();
    bench.kill();
    bench.master();
    bench.ready();
    bench.settled();
    assertThat(flowMods() - before).isZero();
    assertThat(bench.device.<Integer>with(tables -> tables.count(0) + tables.count(1)))
        .isEqualTo(entries);
    served();
  }

  /** The master dies in the middle of the moves. */
  @Test
  void aMasterDiesWhileRulesMoveBelowACoverThatStandsForMany() {
    install(idle);
    install(pairs);
    for (int round = 0; round < 8; round++) {
      bench.connection().cutAfter(5 + random.nextInt(60));
      bench.clockMillis.addAndGet(READING_MILLIS);
      bench.device.with(
          tables -> {
            tables.nowSeconds += READING_MILLIS / 1000;
            for (int pair = 0; pair < PAIRS; pair++) {
              tables.carry(packet(pair, false), (long) (1e7 / (1 + pair)));
            }
            return null;
          });
      bench.readBack();
      bench.kill();
      bench.master();
      bench.ready();
      bench.settled();
    }
    served();
  }
}
