package io.lockstep.core.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lockstep.core.trace.TraceRecord.EventBegun;
import io.lockstep.core.trace.TraceRecord.EventEnded;
import io.lockstep.core.trace.TraceRecord.OperationAnswered;
import io.lockstep.core.trace.TraceRecord.RecordsLost;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.RequestEncoder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events that are put together from records of which some are missing or wrong. */
class TraceEventsTest implements TraceEvents.Sink {
  private final List<TracedEvent> events = new ArrayList<>();
  private final List<TracedOperation> core = new ArrayList<>();

  @TempDir private Path directory;

  @Override
  public void event(TracedEvent event) {
    events.add(event);
  }

  @Override
  public void core(TracedOperation operation) {
    core.add(operation);
  }

  private static OperationAnswered operation(long event, long asked, long answered, String key) {
    ByteWriter request = new ByteWriter();
    RequestEncoder.command(request, new Command.Get("t", Bytes.utf8(key)));
    return new OperationAnswered(
        event, event == 0 ? "t" : "", asked, answered, request.toBytes(), Bytes.empty());
  }

  /** Writes records without an end of the trace, and reads them. */
  private TraceEvents.Reading read(TraceRecord... records) throws IOException {
    Path file = directory.resolve("t");
    try (TraceWriter writer =
        TraceWriter.create(file, new TraceHeader("n", "c", "7.1", 1, Map.of()), 1 << 20)) {
      for (TraceRecord one : records) {
        assertThat(writer.add(one)).isTrue();
      }
      writer.flush();
    }
    try (TraceReader reader = TraceReader.open(file)) {
      return TraceEvents.read(reader, this);
    }
  }

  @Test
  void operationsAreInTheOrderOfAskingAndThoseWithoutAnEventAreCounted() throws IOException {
    TraceEvents.Reading reading =
        read(
            new EventBegun(1, "app", "timer", 5, EventBegun.NO_PORT, 10),
            operation(1, 20, 30, "second"),
            operation(1, 15, 40, "first"),
            operation(2, 15, 41, "of an event whose begin was lost"),
            new RecordsLost(3, 42),
            new RecordsLost(1, 42),
            operation(0, 1, 43, "core"),
            new EventEnded(2, "decided", 50),
            new EventEnded(1, "stale", 60),
            new EventBegun(3, "app", "timer", 5, EventBegun.NO_PORT, 70));
    assertThat(events)
        .extracting(TracedEvent::number, TracedEvent::outcome)
        .containsExactly(tuple(1L, "stale"), tuple(3L, TracedEvent.UNFINISHED));
    assertThat(events.get(0).operations())
        .extracting(one -> String.valueOf(one.key()))
        .containsExactly(String.valueOf(Bytes.utf8("first")), String.valueOf(Bytes.utf8("second")));
    assertThat(core).hasSize(1);
    assertThat(reading.lost()).isEqualTo(4);
    assertThat(reading.orphans()).isEqualTo(2);
    assertThat(reading.end()).isNull();
    assertThat(reading.isComplete()).isFalse();
  }

  @Test
  void aCommandThatCannotBeReadEndsTheReadingAndSaysWithWhichVersionItCan() throws IOException {
    TraceEvents.Reading reading =
        read(
            operation(0, 1, 2, "good"),
            new OperationAnswered(0, "t", 2, 3, Bytes.copyOf((byte) 99), Bytes.empty()),
            operation(0, 3, 4, "behind"));
    assertThat(core).hasSize(1);
    assertThat(reading.damage())
        .isNotNull()
        .hasMessageContaining("a command or reply with")
        .hasMessageContaining("use the Lockstep that recorded it, 7.1");
  }
}
