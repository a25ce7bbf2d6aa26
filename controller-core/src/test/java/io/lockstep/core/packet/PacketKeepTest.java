package io.lockstep.core.packet;

import static io.lockstep.core.packet.Frames.ethernet;
import static io.lockstep.core.packet.Frames.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.PacketView;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.onosproject.net.PortNumber;

/** Which of two masters answers a packet around a hand-over. */
class PacketKeepTest extends PacketDispatcherFixture {
  private static final long PLAN_EPOCH = 7;
  private static final PacketLimits WITHOUT_QUOTAS = new PacketLimits(0, 0, 0, 1024);

  /** The sources of the packets that the application saw, in order. */
  private final List<Long> answered = new ArrayList<>();

  private final PacketDispatcher dispatcher;
  private final PacketKeep keep;

  PacketKeepTest() {
    new App("a", this::answer);
    dispatcher = dispatcher(WITHOUT_QUOTAS);
    keep = new PacketKeep(dispatcher, time, time::nanos);
    mastery.addListener(keep);
  }

  private Decision answer(PacketView packet) {
    answered.add(packet.source().toLong());
    return Decision.DROP;
  }

  private static PacketIn from(long source) {
    return whole(1, ethernet(2, source, 0x0800));
  }

  private static PacketIn mark(PacketOut sent, PortNumber inPort) {
    return new PacketIn(
        PacketIn.NO_BUFFER, 0, inPort, PacketIn.Reason.ACTION, 0, sent.data(), sent.data().length);
  }

  /** The hand-over begins; its end is not what the test looks at. */
  private void begin() {
    CompletableFuture<?> unused = keep.finish(connection, PLAN_EPOCH);
  }

  private PacketIn mark() {
    return mark(HandOverMark.of(connection.dpid(), PLAN_EPOCH), PortNumber.CONTROLLER);
  }

  private void packetIn(PacketIn packet) {
    keep.packetIn(connection, packet);
  }

  private void packetsFrom(long first, long last) {
    for (long source = first; source <= last; source++) {
      packetIn(from(source));
    }
  }

  @Test
  void nextMasterAnswersWhatComesBehindTheMarkBeforeWhatComesLater() {
    keep.expected(connection, PLAN_EPOCH);
    packetsFrom(11, 12);
    packetIn(mark());
    packetsFrom(13, 14);
    assertThat(answered).as("it is no master yet").isEmpty();
    mastery.grant(connection, 8);
    packetIn(from(15));
    assertThat(answered).containsExactly(13L, 14L, 15L);
    assertThat(dispatcher.counters().of(PacketResult.KEPT)).isEqualTo(2);
  }

  @Test
  void oldMasterAnswersWhatComesBeforeTheMarkAndNothingBehindIt() {
    mastery.grant(connection, PLAN_EPOCH);
    CompletableFuture<?> finished = keep.finish(connection, PLAN_EPOCH);
    PacketOut sent = connection.packetOuts.get(0);
    assertThat(sent.outPorts()).containsExactly(PortNumber.CONTROLLER);
    packetIn(from(11));
    assertThat(finished).as("the mark has not come").isNotDone();
    packetIn(mark(sent, PortNumber.CONTROLLER));
    packetIn(from(12));
    assertThat(finished).isDone();
    assertThat(answered).containsExactly(11L);
  }

  /** OpenFlow 1.0 has no port of the controller that a packet could come in by. */
  @Test
  void markThatComesInByNoPortIsOne() {
    mastery.grant(connection, PLAN_EPOCH);
    CompletableFuture<?> finished = keep.finish(connection, PLAN_EPOCH);
    packetIn(mark(connection.packetOuts.get(0), PortNumber.ANY));
    assertThat(finished).isDone();
  }

  @Test
  void oldMasterWaitsForDecisionsThatWaitForTheStore() {
    applications.clear();
    new App("asks", packet -> new Decision.Ask(ASKED, reply -> forward(2)));
    PacketDispatcher asking = dispatcher(WITHOUT_QUOTAS);
    PacketKeep asked = new PacketKeep(asking, time, time::nanos);
    mastery.addListener(asked);
    mastery.grant(connection, PLAN_EPOCH);
    asked.packetIn(connection, from(11));
    CompletableFuture<?> finished = asked.finish(connection, PLAN_EPOCH);
    asked.packetIn(connection, mark());
    time.pass(50);
    assertThat(finished).isNotDone();
    store.answer(FOUND);
    time.pass(5);
    assertThat(finished).isDone();
    assertThat(asking.counters().of(PacketResult.DECIDED)).isEqualTo(1);

    mastery.grant(connection, PLAN_EPOCH + 2);
    asked.packetIn(connection, from(12));
    CompletableFuture<?> hangs = asked.finish(connection, PLAN_EPOCH + 2);
    time.pass(PacketKeep.MARK_MILLIS + PacketKeep.IDLE_MILLIS + 5);
    assertThat(hangs).as("the store does not answer").isDone();
  }

  @Test
  void oldMasterThatGetsTheSwitchBackAnswersWhatItKept() {
    mastery.grant(connection, PLAN_EPOCH);
    begin();
    packetIn(mark());
    packetIn(from(12));
    mastery.take(connection);
    packetIn(from(13));
    mastery.grant(connection, PLAN_EPOCH);
    assertThat(answered).containsExactly(12L, 13L);
  }

  @Test
  void withoutAMarkTheOldMasterKeepsAfterAWhileAndTheNextAnswersAll() {
    mastery.grant(connection, PLAN_EPOCH);
    CompletableFuture<?> finished = keep.finish(connection, PLAN_EPOCH);
    time.pass(PacketKeep.MARK_MILLIS - 1);
    packetIn(from(11));
    assertThat(finished).isNotDone();
    time.pass(2);
    packetIn(from(12));
    assertThat(finished).isDone();
    assertThat(answered).containsExactly(11L);

    mastery.take(connection);
    keep.expected(connection, PLAN_EPOCH);
    packetsFrom(21, 22);
    mastery.grant(connection, 8);
    assertThat(answered).containsExactly(11L, 21L, 22L);
  }

  @Test
  void switchThatTakesNoMarkDoesNotDelayTheHandOver() {
    mastery.grant(connection, PLAN_EPOCH);
    connection.full = true;
    assertThat(keep.finish(connection, PLAN_EPOCH)).isDone();
  }

  @Test
  void hostCannotSendAMark() {
    keep.expected(connection, PLAN_EPOCH);
    packetIn(from(11));
    packetIn(mark(HandOverMark.of(connection.dpid(), PLAN_EPOCH), port(1)));
    packetIn(mark(HandOverMark.of(connection.dpid(), PLAN_EPOCH + 1), PortNumber.CONTROLLER));
    packetIn(mark(HandOverMark.of(connection.dpid() + 1, PLAN_EPOCH), PortNumber.CONTROLLER));
    mastery.grant(connection, 8);
    assertThat(answered).containsExactly(11L);
  }

  @Test
  void loudHostLeavesRoomForOthersAndWhatIsOverIsCounted() {
    keep.expected(connection, PLAN_EPOCH);
    packetsFrom(1, PacketKeep.PACKETS_PER_PORT + 10);
    packetIn(whole(2, ethernet(2, 5000, 0x0800)));
    for (int port = 10; port < 30; port++) {
      for (int i = 0; i < PacketKeep.PACKETS_PER_PORT; i++) {
        packetIn(whole(port, ethernet(2, 6000, 0x0800)));
      }
    }
    mastery.grant(connection, 8);
    assertThat(answered).hasSize(PacketKeep.PACKETS_PER_SWITCH).contains(5000L);
    assertThat(dispatcher.counters().of(PacketResult.KEPT_IN_VAIN))
        .isEqualTo(10 + 1 + 20 * 128 + 128 - PacketKeep.PACKETS_PER_SWITCH);
  }

  @Test
  void bytesOfAllSwitchesAreBoundedAndReturned() {
    byte[] large = new byte[60_000];
    System.arraycopy(FRAME, 0, large, 0, FRAME.length);
    int most = (int) (PacketKeep.BYTES / (large.length + 128));
    assertThat(most).isLessThan(PacketKeep.PACKETS_PER_PORT);
    for (int round = 1; round <= 2; round++) {
      keep.expected(connection, PLAN_EPOCH);
      for (int i = 0; i < most + 3; i++) {
        packetIn(whole(1, large));
      }
      assertThat(dispatcher.counters().of(PacketResult.KEPT_IN_VAIN)).isEqualTo(3L * round);
      keep.expectedNoLonger(connection);
    }
  }

  @Test
  void oldPacketsAreNotAnsweredAndAPlanThatEndsLeavesNothing() {
    keep.expected(connection, PLAN_EPOCH);
    packetIn(from(11));
    time.pass(PacketKeep.KEEP_MILLIS + 1);
    packetIn(from(12));
    mastery.grant(connection, 8);
    assertThat(answered).containsExactly(12L);
    assertThat(dispatcher.counters().of(PacketResult.KEPT_IN_VAIN)).isEqualTo(1);

    mastery.take(connection);
    keep.expected(connection, 8);
    packetIn(from(13));
    keep.expectedNoLonger(connection);
    mastery.grant(connection, 9);
    assertThat(answered).containsExactly(12L);
    assertThat(dispatcher.counters().of(PacketResult.NOT_MASTERED)).isZero();
  }

  @Test
  void whatTheOldMasterKeptEndsByItsTime() {
    mastery.grant(connection, PLAN_EPOCH);
    begin();
    packetIn(mark());
    packetIn(from(11));
    mastery.take(connection);
    time.pass(PacketKeep.KEEP_MILLIS + 1);
    packetIn(from(12));
    assertThat(dispatcher.counters().of(PacketResult.NOT_MASTERED)).isEqualTo(1);
    mastery.grant(connection, 9);
    assertThat(answered).isEmpty();
  }

  @Test
  void probesAreNotKept() {
    mastery.grant(connection, PLAN_EPOCH);
    begin();
    packetIn(mark());
    packetIn(whole(1, ethernet(2, 1, 0x88cc)));
    assertThat(dispatcher.counters().of(PacketResult.LLDP)).isEqualTo(1);
  }
}
