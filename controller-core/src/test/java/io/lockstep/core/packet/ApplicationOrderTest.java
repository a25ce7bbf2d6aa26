package io.lockstep.core.packet;

import static io.lockstep.core.packet.Frames.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.app.RankedApplication;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.onosproject.net.PortNumber;
import org.onosproject.net.packet.PacketContext;

/** Applications and packet processors in one order, and applications that fail. */
class ApplicationOrderTest extends PacketDispatcherFixture {
  private final List<String> seen = new ArrayList<>();

  private Decision pass(String name) {
    seen.add(name);
    return Decision.PASS;
  }

  private void processor(String name, int priority) {
    processors.add(context -> seen.add(name), priority);
  }

  private void dispatchOne() {
    mastering().packetIn(connection, whole(1, FRAME));
  }

  @Test
  void processorsAndApplicationsSeeAPacketInOneOrder() {
    new App("first", packet -> pass("application 100"));
    new App("asking", packet -> new Decision.Ask(ASKED, reply -> pass("application 101")));
    processor("processor 102", FIRST_PRIORITY + 2);
    processor("processor 99", FIRST_PRIORITY - 1);
    processor("processor 101", FIRST_PRIORITY + 1);
    dispatchOne();
    // 'asking' comes before the processor of the same priority: names of classes begin with 'io'.
    assertThat(seen).containsExactly("processor 99", "application 100");
    store.answer(FOUND);
    assertThat(seen)
        .containsExactly(
            "processor 99", "application 100", "application 101", "processor 101", "processor 102");
  }

  @Test
  void deactivatedApplicationSeesNeitherPacketsNorEventsUntilItIsActiveAgain() {
    App first =
        new App(
            "first",
            packet -> {
              seen.add("first");
              return forward(2);
            });
    new App("second", packet -> forward(3));
    deactivated.add("first");
    PacketDispatcher dispatcher = mastering();
    events.clear();
    dispatcher.packetIn(connection, whole(1, FRAME));
    dispatcher.events().minutePassed();
    assertThat(seen).isEmpty();
    assertThat(sentTo()).containsExactly(port(3));
    assertThat(events).as("that of the second").hasSize(1);
    events.clear();
    deactivated.clear();
    dispatcher.events().activated(first.name());
    assertThat(events)
        .as("it begins as at a switch that becomes this node's")
        .containsExactly(new NetworkEvent.Mastered(connection.deviceId()));
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(seen).containsExactly("first");
    assertThat(sentTo()).containsExactly(port(3), port(2));
  }

  @Test
  void aClaimedPacketIsNotShownToProcessorsBehindTheApplication() {
    new App("claims", packet -> forward(2));
    processor("before", FIRST_PRIORITY - 1);
    processor("behind", FIRST_PRIORITY + 1);
    dispatchOne();
    assertThat(seen).containsExactly("before");
    assertThat(sentTo()).containsExactly(port(2));
  }

  @Test
  void aHandledPacketIsShownToLaterProcessorsAndNotToApplications() {
    new App("application", packet -> pass("application"));
    processors.add(PacketContext::block, FIRST_PRIORITY - 1);
    processors.add(context -> seen.add("handled " + context.isHandled()), FIRST_PRIORITY + 1);
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(seen).containsExactly("handled true");
    assertThat(dispatcher.counters().of(PacketResult.PROCESSED)).isEqualTo(1);
  }

  @Test
  void applicationsOfTheSamePriorityStandInTheOrderOfTheirNames() {
    App b = new App("b", packet -> Decision.PASS);
    App a = new App("a", packet -> Decision.PASS);
    assertThat(
            Stream.of(
                    new RankedApplication(b, 7),
                    new RankedApplication(a, 7),
                    new RankedApplication(b, -1))
                .sorted(RankedApplication.ORDER)
                .map(one -> one.priority() + one.name()))
        .containsExactly("-1b", "7a", "7b");
    assertThat(new RankedApplication(a, 7).isBehind(6, "z.Processor")).isTrue();
    assertThat(new RankedApplication(a, 7).isBehind(8, "")).isFalse();
    assertThat(new RankedApplication(b, 7).isBehind(7, "a.Processor")).isTrue();
    assertThat(new RankedApplication(a, 7).isBehind(7, "b.Processor")).isFalse();
  }

  /** A decision, or how an application fails to make one. */
  static Stream<Supplier<Decision>> failures() {
    return Stream.of(
        () -> {
          throw new IllegalStateException("bug");
        },
        () -> {
          throw new NoSuchMethodError("built for another version");
        },
        () -> {
          throw new AssertionError("a check of its own");
        },
        ApplicationOrderTest::endless,
        ApplicationOrderTest::nothing,
        () -> Decision.act(new Instruction.Forward(noPort())));
  }

  @SuppressWarnings("InfiniteRecursion")
  private static Decision endless() {
    return endless();
  }

  @SuppressWarnings("NullAway") // as code that is not checked for it may do
  private static Decision nothing() {
    return null;
  }

  @SuppressWarnings("NullAway") // the same
  private static PortNumber noPort() {
    return null;
  }

  @ParameterizedTest
  @MethodSource("failures")
  void anApplicationThatFailsLosesItsPacketOnly(Supplier<Decision> failure) {
    boolean[] fails = {true};
    App app = new App("a", packet -> fails[0] ? failure.get() : forward(2));
    app.onEvent = event -> fails[0] ? failure.get() : Decision.PASS;
    new App("b", packet -> pass("b"));
    PacketDispatcher dispatcher = mastering();
    long before = dispatcher.counters().of(PacketResult.APPLICATION_FAILED);
    assertThat(before).as("on the event of mastership").isEqualTo(1);
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(dispatcher.counters().of(PacketResult.APPLICATION_FAILED)).isEqualTo(2);
    assertThat(seen).isEmpty();
    assertThat(events).as("the next application still hears of events").hasSize(2);
    fails[0] = false;
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(sentTo()).containsExactly(port(2));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void oneThatFailsOnAReplyLosesItsPacketOnly(Supplier<Decision> failure) {
    new App("a", packet -> new Decision.Ask(ASKED, reply -> failure.get()));
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    store.answer(FOUND);
    assertThat(dispatcher.counters().of(PacketResult.APPLICATION_FAILED)).isEqualTo(1);
    assertThat(connection.packetOuts).isEmpty();
  }
}
