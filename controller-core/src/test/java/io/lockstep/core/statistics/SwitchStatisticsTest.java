package io.lockstep.core.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.PortStats;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.southbound.TableClaims;
import io.lockstep.core.southbound.TableStats;
import io.lockstep.core.testing.FakeMasteredSwitches;
import io.lockstep.core.testing.FakeSwitch;
import io.lockstep.core.testing.ManualTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.PortStatistics;
import org.onosproject.net.flow.TableStatisticsEntry;

/** One switch that answers, or does not, and a node that masters it, or does not. */
class SwitchStatisticsTest {
  private static final PortNumber PORT = PortNumber.portNumber(2);

  private final ManualTime time = new ManualTime();
  private final FakeMasteredSwitches mastery = new FakeMasteredSwitches();
  private final SwitchStatistics statistics = new SwitchStatistics(mastery, time::nanos);
  private final FakeSwitch device = new FakeSwitch(0x17, 3);
  private final DeviceId id = device.deviceId();
  private final List<DeviceId> heard = new ArrayList<>();
  private final ArrayDeque<CompletableFuture<Answer<List<PortStats>>>> unanswered =
      new ArrayDeque<>();
  private final ArrayDeque<CompletableFuture<Answer<List<TableStats>>>> unansweredTables =
      new ArrayDeque<>();
  private int portsAsked;
  private int tablesAsked;

  /** Each port received so many packets. */
  private long counter = 100;

  private boolean answers = true;

  @BeforeEach
  void connect() {
    mastery.addListener(statistics);
    statistics.addListener(heard::add);
    device.onPortStats =
        () -> {
          portsAsked++;
          CompletableFuture<Answer<List<PortStats>>> answer = new CompletableFuture<>();
          if (answers) {
            answer.complete(new Answer.Of<>(List.of(stats(1), stats(2), stats(9))));
          } else {
            unanswered.add(answer);
          }
          return answer;
        };
    device.onTableStats =
        () -> {
          tablesAsked++;
          CompletableFuture<Answer<List<TableStats>>> answer = new CompletableFuture<>();
          if (answers) {
            answer.complete(new Answer.Of<>(List.of(new TableStats(0, 5, counter, 40))));
          } else {
            unansweredTables.add(answer);
          }
          return answer;
        };
  }

  private PortStats stats(long port) {
    long seconds = time.millis() / 1_000;
    return new PortStats(port, counter, 2, 3, 4, 5, 6, 7, 8, seconds, 500_000_000);
  }

  private void pass(long millis) {
    for (long passed = 0; passed < millis; passed += SwitchStatistics.TICK_MILLIS) {
      time.pass(SwitchStatistics.TICK_MILLIS);
      statistics.tick();
    }
  }

  private PortStatistics port() {
    return Objects.requireNonNull(statistics.port(id, PORT));
  }

  @Test
  void countersAreThoseOfTheLastAnswer() {
    assertThat(statistics.ports(id)).isEmpty();
    mastery.grant(device, 1);
    assertThat(statistics.ports(id)).as("not asked yet").isEmpty();
    pass(SwitchStatistics.PERIOD_MILLIS);
    assertThat(port().packetsReceived()).isEqualTo(100);
    assertThat(port().packetsTxErrors()).isEqualTo(8);
    assertThat(port().durationNano()).isEqualTo(500_000_000);
    assertThat(statistics.portDeltas(id)).as("only one answer").isEmpty();
    assertThat(statistics.portDelta(id, PORT)).isNull();
    counter = 130;
    pass(SwitchStatistics.PERIOD_MILLIS);
    assertThat(port().packetsReceived()).isEqualTo(130);
    PortStatistics delta = Objects.requireNonNull(statistics.portDelta(id, PORT));
    assertThat(delta.packetsReceived()).isEqualTo(30);
    assertThat(delta.packetsSent()).isZero();
    assertThat(delta.durationSec()).isEqualTo(5);
    assertThat(statistics.portDeltas(id)).hasSize(2);
    assertThat(heard).containsExactly(id, id);
  }

  @Test
  void portsThatTheSwitchDoesNotHaveAreLeftOut() {
    mastery.grant(device, 1);
    pass(SwitchStatistics.PERIOD_MILLIS);
    assertThat(statistics.ports(id))
        .extracting(PortStatistics::portNumber)
        .containsExactly(PortNumber.portNumber(1), PORT);
    assertThat(statistics.port(id, PortNumber.portNumber(9))).isNull();
  }

  @Test
  void tablesHaveTheSizeThatTheSwitchClaims() {
    device.claims =
        TableClaims.of(List.of(new TableClaims.Table(0, "flows", 460, 0, 0, 0, 0, List.of())));
    mastery.grant(device, 1);
    pass(SwitchStatistics.PERIOD_MILLIS);
    assertThat(statistics.tables(id)).hasSize(1);
    TableStatisticsEntry table = statistics.tables(id).get(0);
    assertThat(table.activeFlowEntries()).isEqualTo(5);
    assertThat(table.packetsLookedup()).isEqualTo(100);
    assertThat(table.packetsMatched()).isEqualTo(40);
    assertThat(table.maxSize()).isEqualTo(460);
    device.claims = TableClaims.none("it does not say");
    assertThat(statistics.tables(id).get(0).hasMaxSize()).isFalse();
  }

  @Test
  void switchIsAskedOnceInAPeriodAndOnlyWhileItIsMastered() {
    pass(10 * SwitchStatistics.PERIOD_MILLIS);
    assertThat(portsAsked).isZero();
    mastery.grant(device, 1);
    pass(10 * SwitchStatistics.PERIOD_MILLIS);
    assertThat(portsAsked).isEqualTo(10);
    assertThat(tablesAsked).isEqualTo(10);
    mastery.suspend(device);
    pass(10 * SwitchStatistics.PERIOD_MILLIS);
    mastery.take(device);
    pass(10 * SwitchStatistics.PERIOD_MILLIS);
    assertThat(portsAsked).isEqualTo(10);
  }

  @Test
  void anotherNodesSwitchHasNoFiguresHere() {
    mastery.grant(device, 1);
    pass(SwitchStatistics.PERIOD_MILLIS);
    assertThat(statistics.tables(id)).isNotEmpty();
    mastery.suspend(device);
    assertThat(statistics.ports(id)).as("the lease is over").isEmpty();
    mastery.take(device);
    assertThat(statistics.ports(id)).isEmpty();
    assertThat(statistics.tables(id)).isEmpty();
    mastery.grant(device, 2);
    assertThat(statistics.ports(id)).as("the figures of an earlier mastership").isEmpty();
  }

  @Test
  void switchThatDoesNotAnswerIsAskedNothingMeanwhile() {
    answers = false;
    mastery.grant(device, 1);
    pass(20 * SwitchStatistics.PERIOD_MILLIS);
    assertThat(portsAsked).isEqualTo(1);
    assertThat(tablesAsked).isZero();
    unanswered.remove().complete(new Answer.None<>("no port statistics in time"));
    assertThat(tablesAsked).as("one question after the other").isEqualTo(1);
    pass(20 * SwitchStatistics.PERIOD_MILLIS);
    assertThat(portsAsked).isEqualTo(1);
    unansweredTables.remove().complete(new Answer.None<>("no table statistics in time"));
    answers = true;
    pass(SwitchStatistics.PERIOD_MILLIS);
    assertThat(portsAsked).isEqualTo(2);
    assertThat(port().packetsReceived()).isEqualTo(100);
  }

  @Test
  void answerThatIsTooOldIsNotShown() {
    mastery.grant(device, 1);
    pass(SwitchStatistics.PERIOD_MILLIS);
    answers = false;
    pass(SwitchStatistics.MAX_AGE_MILLIS - SwitchStatistics.PERIOD_MILLIS);
    assertThat(statistics.ports(id)).isNotEmpty();
    pass(2 * SwitchStatistics.PERIOD_MILLIS);
    assertThat(statistics.ports(id)).isEmpty();
    assertThat(statistics.portDeltas(id)).isEmpty();
    assertThat(statistics.tables(id)).isEmpty();
  }

  @Test
  void answerToAnEarlierMasterIsNotTaken() {
    answers = false;
    mastery.grant(device, 1);
    pass(SwitchStatistics.PERIOD_MILLIS);
    mastery.take(device);
    mastery.grant(device, 2);
    unanswered.remove().complete(new Answer.Of<>(List.of(stats(1))));
    assertThat(statistics.ports(id)).isEmpty();
    assertThat(tablesAsked).isZero();
    assertThat(heard).isEmpty();
  }

  @Test
  void switchesAreNotAllAskedAtOnce() {
    List<FakeSwitch> asked = new ArrayList<>();
    for (long dpid = 1; dpid <= 100; dpid++) {
      FakeSwitch one = new FakeSwitch(dpid, 1);
      one.onPortStats =
          () -> {
            asked.add(one);
            return CompletableFuture.completedFuture(new Answer.Of<>(List.of()));
          };
      mastery.grant(one, 1);
    }
    for (int tick = 1; tick <= SwitchStatistics.SLOTS; tick++) {
      pass(SwitchStatistics.TICK_MILLIS);
      assertThat(asked).hasSize(10 * tick).doesNotHaveDuplicates();
    }
  }
}
