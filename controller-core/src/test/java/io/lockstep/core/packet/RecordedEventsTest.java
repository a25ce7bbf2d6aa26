package io.lockstep.core.packet;

import static io.lockstep.core.packet.Frames.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.recording.Recording;
import io.lockstep.core.southbound.SwitchObserver.PortChange;
import io.lockstep.core.trace.TraceEvents;
import io.lockstep.core.trace.TraceHeader;
import io.lockstep.core.trace.TraceReader;
import io.lockstep.core.trace.TraceWriter;
import io.lockstep.core.trace.TracedEvent;
import io.lockstep.core.trace.TracedOperation;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.core.CauseNames;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which events a dispatcher records, with which operations and ends. */
class RecordedEventsTest extends PacketDispatcherFixture implements TraceEvents.Sink {
  private static final Command SECOND = new Command.Put("t", Bytes.utf8("k"), Bytes.utf8("v"));

  private final List<TracedEvent> traced = new ArrayList<>();
  private final List<TracedOperation> core = new ArrayList<>();

  @TempDir private Path directory;

  @Override
  public void event(TracedEvent event) {
    traced.add(event);
  }

  @Override
  public void core(TracedOperation operation) {
    core.add(operation);
  }

  private Recording record() throws Exception {
    Recording recording =
        new Recording(
            TraceWriter.create(
                directory.resolve("t"), new TraceHeader("n", "c", "v", 1, Map.of()), 1 << 20),
            CauseNames.of(List.of()),
            time::nanos,
            () -> Long.MAX_VALUE,
            traffic::detach);
    traffic.attach(recording);
    recording.start();
    return recording;
  }

  private TraceEvents.Reading stopAndRead(Recording recording) throws Exception {
    recording.stop();
    try (TraceReader reader = TraceReader.open(directory.resolve("t"))) {
      return TraceEvents.read(reader, this);
    }
  }

  private void packetIn(PacketDispatcher dispatcher, int port) {
    dispatcher.packetIn(connection, whole(port, FRAME));
  }

  @Test
  void anEventHasItsQuestionsInOrderAndEndsWithItsReaction() throws Exception {
    new App(
        "asks-twice",
        packet -> new Decision.Ask(ASKED, first -> new Decision.Ask(SECOND, second -> forward(2))));
    PacketDispatcher dispatcher = mastering();
    Recording recording = record();
    packetIn(dispatcher, 1);
    store.answer(FOUND);
    time.pass(5);
    store.answer(new Reply.Applied(4));
    assertThat(sentTo()).containsExactly(port(2));
    TraceEvents.Reading reading = stopAndRead(recording);
    assertThat(reading.isComplete()).isTrue();
    assertThat(core).isEmpty();
    assertThat(traced)
        .extracting(
            TracedEvent::application,
            TracedEvent::kind,
            TracedEvent::dpid,
            TracedEvent::port,
            TracedEvent::outcome)
        .containsExactly(tuple("asks-twice", "packet-in", 1L, 1L, "decided"));
    assertThat(traced.get(0).endedMicros() - traced.get(0).begunMicros()).isEqualTo(5_000);
    assertThat(traced.get(0).operations())
        .extracting(TracedOperation::command, TracedOperation::reply)
        .containsExactly(tuple(ASKED, FOUND), tuple(SECOND, new Reply.Applied(4)));
  }

  @Test
  void eachApplicationThatDecidesHasItsEventAndOneThatPassesAtOnceHasNone() throws Exception {
    new App("passes", packet -> Decision.PASS);
    new App("counts", packet -> new Decision.Ask(ASKED, reply -> Decision.PASS));
    new App("forwards", packet -> forward(3));
    PacketDispatcher dispatcher = mastering();
    Recording recording = record();
    packetIn(dispatcher, 1);
    store.answer(FOUND);
    stopAndRead(recording);
    assertThat(traced)
        .extracting(
            TracedEvent::application, TracedEvent::outcome, event -> event.operations().size())
        .containsExactly(tuple("counts", "passed_on", 1), tuple("forwards", "decided", 0));
  }

  @Test
  void changesAtASwitchAreEventsWithAKindOfTheirOwn() throws Exception {
    App app = new App("app", packet -> Decision.PASS);
    app.onEvent =
        event ->
            event instanceof NetworkEvent.TimePassed
                ? Decision.PASS
                : new Decision.Ask(ASKED, reply -> Decision.DROP);
    PacketDispatcher dispatcher = mastering();
    store.answer(FOUND);
    Recording recording = record();
    dispatcher.events().portStatus(connection, PortChange.REMOVED, connection.ports().get(1));
    dispatcher.events().minutePassed();
    store.answer(new Reply.Unknown("no quorum"));
    time.pass(1_000);
    store.answer(FOUND);
    stopAndRead(recording);
    assertThat(traced).hasSize(1);
    assertThat(traced.get(0).kind()).isEqualTo("port-down");
    assertThat(traced.get(0).port()).isEqualTo(2);
    assertThat(traced.get(0).operations())
        .extracting(TracedOperation::replyType)
        .containsExactly("unknown", "found");
  }

  @Test
  void packetsThatAreNotDecidedSayWhy() throws Exception {
    new App(
        "app",
        packet ->
            packet.inPort().toLong() == 3
                ? null
                : new Decision.Ask(
                    ASKED,
                    reply -> {
                      throw new IllegalStateException("no luck");
                    }));
    PacketDispatcher dispatcher = mastering();
    Recording recording = record();
    packetIn(dispatcher, 3);
    packetIn(dispatcher, 1);
    store.answer(FOUND);
    packetIn(dispatcher, 1);
    store.answer(new Reply.Rejected(Reply.Reason.NOT_SENT, "full"));
    packetIn(dispatcher, 1);
    store.answer(new Reply.Unknown("no quorum"));
    packetIn(dispatcher, 2);
    mastery.take(connection);
    store.answer(FOUND);
    stopAndRead(recording);
    assertThat(traced)
        .extracting(TracedEvent::outcome)
        .containsExactly(
            "application_failed", "application_failed", "store_rejected", "store_unknown", "stale");
  }

  /** No event of the core is taken for one of an application, nor the other way round. */
  @Test
  void aQuestionThatWaitedWhenTheRecordingBeganIsNotTheCores() throws Exception {
    new App("app", packet -> new Decision.Ask(ASKED, reply -> forward(2)));
    PacketDispatcher dispatcher = mastering();
    for (int i = 0; i <= AskTurns.AT_STORE; i++) {
      dispatcher.packetIn(connection, whole(1, FRAME));
    }
    Recording recording = record();
    store.answer(FOUND);
    store.answer(FOUND);
    for (int i = 2; i <= AskTurns.AT_STORE; i++) {
      store.answer(FOUND);
    }
    TraceEvents.Reading reading = stopAndRead(recording);
    assertThat(core).isEmpty();
    assertThat(traced).isEmpty();
    assertThat(reading.end()).isNotNull().satisfies(end -> assertThat(end.earlier()).isEqualTo(1));
  }
}
