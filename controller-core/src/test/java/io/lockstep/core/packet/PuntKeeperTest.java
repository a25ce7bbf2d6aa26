package io.lockstep.core.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.flow.FlowDoor;
import io.lockstep.core.packet.PuntKeeper.Event;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.state.SwitchTroubles;
import io.lockstep.core.testing.FakeMasteredSwitches;
import io.lockstep.core.testing.FakeSwitch;
import io.lockstep.core.testing.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficTreatment;

/** What the node itself needs in a switch comes back, and is said. */
class PuntKeeperTest {
  private static final int DISCOVERY = PuntRules.DISCOVERY_PRIORITY;

  private final ManualTime time = new ManualTime();
  private final FakeMasteredSwitches mastery = new FakeMasteredSwitches();
  private final FakeSwitch connection = new FakeSwitch(1, 3);
  private final SwitchTroubles troubles = new SwitchTroubles(time::nanos);
  private final PuntKeeper keeper = new PuntKeeper(FlowDoor.open(), troubles);

  PuntKeeperTest() {
    mastery.addListener(keeper);
    connection.onConfirmed =
        mod -> {
          connection.entries.removeIf(entry -> entry.priority() == mod.priority());
          connection.entries.add(entry(mod, mod.treatment(), 0));
          return new FlowModOutcome.Installed();
        };
  }

  private static FlowStats entry(FlowMod mod, TrafficTreatment treatment, int idleSeconds) {
    return new FlowStats(
        mod.tableId(),
        mod.priority(),
        mod.cookie(),
        idleSeconds,
        0,
        1,
        2,
        3,
        mod.selector(),
        treatment);
  }

  private void pass(long millis) {
    time.pass(
        millis,
        () -> {
          if (time.millis() % PuntKeeper.CHECK_MILLIS == 0) {
            keeper.tick();
          }
        });
  }

  private long count(Event event) {
    return keeper.counts().getOrDefault(event, -1L);
  }

  private List<Integer> priorities() {
    return connection.entries.stream().map(FlowStats::priority).toList();
  }

  @Test
  void gainedSwitchSendsMissesAndLldpUp() {
    mastery.grant(connection, 1);
    assertThat(priorities()).containsExactlyInAnyOrder(0, DISCOVERY);
    assertThat(connection.confirmed)
        .allSatisfy(mod -> assertThat(mod.operation()).isEqualTo(FlowMod.Operation.ADD));
  }

  @Test
  void switchOfOpenFlow10NeedsNoTableMissEntry() {
    connection.protocol = "OpenFlow 1.0";
    mastery.grant(connection, 1);
    connection.entries.clear();
    pass(2_000);
    assertThat(priorities()).containsExactly(DISCOVERY);
    assertThat(troubles.of(1)).contains("discovery entry");
  }

  @Test
  void nothingIsSentOrSaidWhileTheEntriesAreThere() {
    mastery.grant(connection, 1);
    pass(60_000);
    assertThat(connection.confirmed).hasSize(2);
    assertThat(troubles.of(1)).isEmpty();
    assertThat(count(Event.MISSING)).isZero();
  }

  @Test
  void deletedEntriesArePutBackAndSaidForAWhile() {
    mastery.grant(connection, 1);
    connection.entries.clear();
    pass(2_000);
    assertThat(priorities()).containsExactlyInAnyOrder(0, DISCOVERY);
    assertThat(troubles.of(1)).contains("table-miss entry and the discovery entry", "put back");
    assertThat(count(Event.MISSING)).isEqualTo(2);
    pass(SwitchTroubles.SHOWN_MILLIS + 1_000);
    assertThat(troubles.of(1)).isEmpty();
    assertThat(count(Event.MISSING)).isEqualTo(2);
  }

  @Test
  void entryThatSomebodyChangedIsMissing() {
    mastery.grant(connection, 1);
    FlowMod miss = connection.confirmed.get(0);
    connection.entries.removeIf(entry -> entry.priority() == miss.priority());
    connection.entries.add(entry(miss, DefaultTrafficTreatment.builder().drop().build(), 0));
    pass(2_000);
    assertThat(count(Event.MISSING)).isEqualTo(1);
    connection.entries.removeIf(entry -> entry.priority() == miss.priority());
    connection.entries.add(entry(miss, miss.treatment(), 5));
    pass(2_000);
    assertThat(count(Event.MISSING)).as("one that would go by itself").isEqualTo(2);
    assertThat(connection.confirmed).hasSize(4);
  }

  /** The packet still goes to the controller port, but not out of this table. */
  @Test
  void entryThatAlsoLeadsToAnotherTableIsMissing() {
    mastery.grant(connection, 1);
    FlowMod miss = connection.confirmed.get(0);
    List<TrafficTreatment> changed =
        List.of(
            DefaultTrafficTreatment.builder().punt().transition(1).build(),
            DefaultTrafficTreatment.builder().deferred().punt().build(),
            FlowStats.INEXPRESSIBLE);
    for (int i = 0; i < changed.size(); i++) {
      connection.entries.removeIf(entry -> entry.priority() == miss.priority());
      connection.entries.add(entry(miss, changed.get(i), 0));
      pass(2_000);
      assertThat(count(Event.MISSING)).isEqualTo(i + 1);
    }
    pass(60_000);
    assertThat(count(Event.MISSING)).isEqualTo(changed.size());
  }

  @Test
  void entryThatTheSwitchDidNotTakeIsSentAgainUntilItIsThere() {
    connection.onConfirmed = mod -> new FlowModOutcome.Refused("TABLE_FULL");
    mastery.grant(connection, 1);
    pass(20_000);
    assertThat(connection.confirmed).hasSize(22);
    assertThat(troubles.of(1)).contains("TABLE_FULL");
    assertThat(count(Event.NOT_INSTALLED)).isEqualTo(11);
  }

  @Test
  void switchThatDoesNotSayWhatItHoldsGetsTheEntriesAgain() {
    mastery.grant(connection, 1);
    connection.onFlowStats =
        () -> CompletableFuture.completedFuture(new Answer.None<>("too many entries"));
    connection.entries.clear();
    pass(2_000);
    assertThat(priorities()).containsExactlyInAnyOrder(0, DISCOVERY);
    assertThat(troubles.of(1)).contains("too many entries");
    assertThat(count(Event.NOT_READ)).isEqualTo(1);
  }

  @Test
  void slowSwitchHasOneQuestionOnItsWay() {
    List<CompletableFuture<Answer<List<FlowStats>>>> asked = new ArrayList<>();
    connection.onFlowStats =
        () -> {
          CompletableFuture<Answer<List<FlowStats>>> answer = new CompletableFuture<>();
          asked.add(answer);
          return answer;
        };
    mastery.grant(connection, 1);
    pass(20_000);
    assertThat(asked).hasSize(1);
    asked.get(0).complete(new Answer.Of<>(List.copyOf(connection.entries)));
    pass(2_000);
    assertThat(asked).hasSize(2);
  }

  @Test
  void switchOfAnotherNodeIsLeftAlone() {
    List<CompletableFuture<Answer<List<FlowStats>>>> asked = new ArrayList<>();
    connection.onFlowStats =
        () -> {
          asked.add(new CompletableFuture<>());
          return asked.get(0);
        };
    mastery.grant(connection, 1);
    pass(2_000);
    mastery.take(connection);
    asked.get(0).complete(new Answer.Of<>(List.of()));
    connection.entries.clear();
    pass(10_000);
    assertThat(connection.entries).isEmpty();
    assertThat(asked).hasSize(1);
  }

  @Test
  void placedSwitchIsLeftToItsRules() {
    FlowDoor placed =
        new FlowDoor() {
          @Override
          public boolean isDirect(SwitchConnection of) {
            return false;
          }

          @Override
          public boolean send(SwitchConnection to, List<FlowMod> mods) {
            return true;
          }
        };
    PuntKeeper other = new PuntKeeper(placed, troubles);
    other.gained(connection, 1);
    other.tick();
    assertThat(connection.confirmed).isEmpty();
  }

  @Test
  void troublesOfASwitchAreBounded() {
    for (int i = 0; i < 1_000; i++) {
      troubles.report(1, "port " + i, "text " + i);
    }
    assertThat(troubles.of(1).split("; ", -1)).hasSize(16);
  }
}
