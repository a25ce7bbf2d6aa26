package io.lockstep.core.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lockstep.core.recording.RecordingStatus.State;
import io.lockstep.core.testing.ManualTime;
import io.lockstep.core.testing.ScriptedStore;
import io.lockstep.core.trace.TraceEvents;
import io.lockstep.core.trace.TraceHeader;
import io.lockstep.core.trace.TraceReader;
import io.lockstep.core.trace.TraceRecord.TraceEnded;
import io.lockstep.core.trace.TraceWriter;
import io.lockstep.core.trace.TracedEvent;
import io.lockstep.core.trace.TracedOperation;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.Request;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.codec.Response;
import io.lockstep.store.codec.ResponseEncoder;
import io.lockstep.store.core.CauseNames;
import io.lockstep.store.engine.OrderingClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recording over a scripted store, whose writer takes a step when the test says so. */
class RecordingTest {
  private static final TraceHeader HEADER = new TraceHeader("n1", "demo", "0.1", 1, Map.of());
  private static final Command GET = new Command.Get("t", Bytes.utf8("k"));
  private static final Reply FOUND = new Reply.Found(Bytes.utf8("v"), 3);
  private static final long PLENTY = 1L << 40;

  private final ManualTime time = new ManualTime();
  private final ScriptedStore store = new ScriptedStore();
  private final StoreTraffic traffic = new StoreTraffic();
  private final StoreClient recorded = traffic.around(store);

  @TempDir private Path directory;

  /** What a trace has. */
  private static final class Contents implements TraceEvents.Sink {
    final List<TracedEvent> events = new ArrayList<>();
    final List<TracedOperation> core = new ArrayList<>();
    TraceEvents.@Nullable Reading reading;

    @Override
    public void event(TracedEvent event) {
      events.add(event);
    }

    @Override
    public void core(TracedOperation operation) {
      core.add(operation);
    }

    TraceEnded end() {
      TraceEnded end = reading == null ? null : reading.end();
      if (end == null) {
        throw new AssertionError("the trace has no end: " + reading);
      }
      return end;
    }
  }

  private Path file() {
    return directory.resolve("a.trace");
  }

  private Recording recording(TraceWriter writer, Recording.FreeSpace disk) {
    Recording recording =
        new Recording(writer, CauseNames.of(List.of()), time::nanos, disk, traffic::detach);
    traffic.attach(recording);
    return recording;
  }

  private Recording recording(long maxBytes) throws IOException {
    return recording(TraceWriter.create(file(), HEADER, maxBytes), () -> PLENTY);
  }

  private static void stop(Recording recording) throws InterruptedException {
    // Its thread was not started: the test takes the steps.
    recording.stop();
    while (recording.step()) {
      assertThat(recording.status().state()).isEqualTo(State.STOPPING);
    }
  }

  private Contents read() throws IOException {
    Contents contents = new Contents();
    try (TraceReader reader = TraceReader.open(file())) {
      contents.reading = TraceEvents.read(reader, contents);
    }
    return contents;
  }

  private EventTrace begin(String application, String kind, long dpid, long port) {
    return Objects.requireNonNull(traffic.begin(application, kind, dpid, port));
  }

  private void ask(@Nullable EventTrace event, Command command) {
    CompletableFuture<Reply> unused = traffic.ask(event, () -> recorded.submit(command));
  }

  private void askForCore(Command command) {
    CompletableFuture<Reply> unused = recorded.submit(command);
  }

  @Test
  void operationsStandBelowTheirEventInOrderAndThoseOfTheCoreHaveACause() throws Exception {
    Recording recording = recording(1 << 20);
    EventTrace first = begin("learning-switch", "packet-in", 0xfeL, 3);
    EventTrace unfinished = begin("load-balancer", "timer", -1, -1);
    ask(first, GET);
    time.pass(2);
    askForCore(new Command.Put("net.links", Bytes.utf8("l"), Bytes.utf8("1")));
    store.answer(FOUND);
    store.answer(new Reply.Applied(8));
    ask(first, new Command.Call("component", Bytes.utf8("argument")));
    time.pass(1);
    store.answer(new Reply.Returned(Bytes.utf8("result")));
    first.end("decided");
    assertThat(unfinished.number()).isEqualTo(2);
    stop(recording);

    Contents found = read();
    assertThat(found.events).hasSize(2);
    TracedEvent event = found.events.get(0);
    assertThat(event)
        .extracting(
            TracedEvent::number,
            TracedEvent::application,
            TracedEvent::kind,
            TracedEvent::dpid,
            TracedEvent::port,
            TracedEvent::begunMicros,
            TracedEvent::endedMicros,
            TracedEvent::outcome)
        .containsExactly(1L, "learning-switch", "packet-in", 0xfeL, 3L, 0L, 3_000L, "decided");
    assertThat(event.operations())
        .containsExactly(
            new TracedOperation("", 0, 2_000, GET, FOUND, size(GET), size(FOUND)),
            new TracedOperation(
                "",
                2_000,
                3_000,
                new Command.Call("component", Bytes.utf8("argument")),
                new Reply.Returned(Bytes.utf8("result")),
                size(new Command.Call("component", Bytes.utf8("argument"))),
                size(new Reply.Returned(Bytes.utf8("result")))));
    assertThat(found.events.get(1).outcome()).isEqualTo(TracedEvent.UNFINISHED);
    assertThat(found.events.get(1).dpid()).isEqualTo(-1);
    assertThat(found.events.get(1).port()).isEqualTo(-1);
    assertThat(found.core).hasSize(1);
    assertThat(found.core.get(0).cause()).isEqualTo("net.links");
    assertThat(found.core.get(0).isRead()).isFalse();
    assertThat(found.end()).isEqualTo(new TraceEnded("stopped", 3_000, 2, 3, 0, 0));
    assertThat(traffic.isRecorded()).isFalse();
  }

  private static int size(Command command) {
    ByteWriter out = new ByteWriter();
    RequestEncoder.command(out, command);
    return out.size();
  }

  private static int size(Reply reply) {
    ByteWriter out = new ByteWriter();
    ResponseEncoder.reply(out, reply);
    return out.size();
  }

  @Test
  void nothingIsRecordedWhenOffAndTheStoresOwnFutureIsHandedOut() throws Exception {
    assertThat(traffic.begin("learning-switch", "packet-in", 1, 1)).isNull();
    assertThat(recorded.submit(GET)).isSameAs(store.asked.get(0).reply());
    Recording recording = recording(1 << 20);
    store.answer(FOUND);
    assertThat(recording.status().operations()).isZero();
    stop(recording);
    assertThat(recorded.submit(GET)).isSameAs(store.asked.get(0).reply());
    assertThat(read().core).isEmpty();
  }

  /** They are neither the core's nor of an event that the trace knows. */
  @Test
  void operationsOfEventsThatBeganBeforeAreCounted() throws Exception {
    Recording recording = recording(1 << 20);
    ask(null, GET);
    store.answer(FOUND);
    EventTrace old = traffic.begin("learning-switch", "packet-in", 1, 1);
    recording.stop();
    Recording next =
        recording(TraceWriter.create(directory.resolve("b.trace"), HEADER, 1 << 20), () -> PLENTY);
    ask(old, GET);
    store.answer(FOUND);
    assertThat(next.status().operations()).isZero();
    stop(next);
    stop(recording);
    assertThat(read().end().earlier()).isEqualTo(1);
    assertThat(read().core).isEmpty();
  }

  @Test
  void whatFindsNoRoomInTheQueueIsCountedAndTheTraceSaysSo() throws Exception {
    Recording recording = recording(64 << 20);
    Reply large = new Reply.Found(Bytes.wrap(new byte[1 << 20]), 1);
    for (int i = 0; i < 10; i++) {
      askForCore(GET);
      store.answer(large);
    }
    long lost = recording.status().lost();
    assertThat(lost).isBetween(2L, 4L);
    assertThat(recording.step()).isTrue();
    askForCore(GET);
    store.answer(large);
    assertThat(recording.status().lost()).as("there is room again").isEqualTo(lost);
    stop(recording);
    Contents found = read();
    assertThat(found.core).hasSize((int) (11 - lost));
    assertThat(found.reading)
        .isNotNull()
        .satisfies(reading -> assertThat(reading.lost()).isEqualTo(lost))
        .satisfies(reading -> assertThat(reading.isComplete()).isFalse());
    assertThat(found.end().lost()).isEqualTo(lost);
  }

  @Test
  void aFullFileEndsTheRecordingAndTheTraceIsWhole() throws Exception {
    Recording recording = recording(100 << 10);
    Random random = new Random(5);
    byte[] value = new byte[2_000];
    boolean goesOn = true;
    int asked = 0;
    for (; goesOn && asked < 1_000; asked++) {
      random.nextBytes(value);
      askForCore(GET);
      store.answer(new Reply.Found(Bytes.copyOf(value), 1));
      goesOn = recording.step();
    }
    assertThat(goesOn).isFalse();
    assertThat(recording.status().state()).isEqualTo(State.FULL);
    assertThat(recording.status().detail()).isEqualTo("the file reached its limit");
    assertThat(read().end().reason()).isEqualTo("full");
    assertThat(read().core).hasSize(asked - 1);
  }

  @Test
  void aDiskWithLittleRoomEndsTheRecording() throws Exception {
    long[] free = {PLENTY};
    Recording recording = recording(TraceWriter.create(file(), HEADER, 1 << 20), () -> free[0]);
    askForCore(GET);
    store.answer(FOUND);
    time.pass(600);
    assertThat(recording.step()).isTrue();
    free[0] = Recording.MIN_FREE_BYTES - 1;
    time.pass(600);
    assertThat(recording.step()).isFalse();
    assertThat(recording.status().state()).isEqualTo(State.LOW_DISK);
    assertThat(recording.status().detail()).isEqualTo("the disk has 255 MB free");
    assertThat(read().end().reason()).isEqualTo("low-disk");
    assertThat(read().core).hasSize(1);
  }

  /** A channel of a disk that is full after some bytes. */
  private static final class FullDisk implements WritableByteChannel {
    private int left = 200;

    @Override
    public int write(ByteBuffer from) throws IOException {
      if (from.remaining() > left) {
        throw new IOException("No space left on device");
      }
      int written = from.remaining();
      left -= written;
      from.position(from.limit());
      return written;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  @Test
  void aDiskThatFailsEndsTheRecordingAndNothingElse() throws Exception {
    Recording recording = recording(new TraceWriter(new FullDisk(), HEADER, 1 << 20), () -> PLENTY);
    recording.start();
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (traffic.isRecorded()) {
      assertThat(System.nanoTime() - deadline).as("the recording goes on").isNegative();
      askForCore(GET);
      store.answer(new Reply.Found(Bytes.wrap(new byte[1_000]), 1));
      time.pass(600);
      Thread.onSpinWait();
    }
    RecordingStatus status = recording.stop();
    assertThat(status.state()).isEqualTo(State.FAILED);
    assertThat(status.detail()).contains("cannot be written", "No space left on device");
    CompletableFuture<Reply> after = recorded.submit(GET);
    store.answer(FOUND);
    assertThat(after).isCompletedWithValue(FOUND);
  }

  /** The engine below a client: the test answers the last request. */
  private static final class LastRequest implements OrderingClient {
    private CompletableFuture<byte[]> last = new CompletableFuture<>();

    @Override
    public CompletableFuture<byte[]> submit(byte[] request) {
      last = new CompletableFuture<>();
      return last;
    }

    @Override
    public int window() {
      return 1;
    }

    @Override
    public ScheduledExecutorService loop() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  @Test
  void signsOfLifeAndTheOpeningOfASessionAreTheCores() throws Exception {
    Recording recording = recording(1 << 20);
    LastRequest engine = new LastRequest();
    OrderingClient client = traffic.around(engine);
    Command opening = new Command.OpenSession(5, "n1", 3_000);
    Reply opened = new Reply.SessionOpened(9);
    List<Request> requests =
        List.of(
            new Request(0, 0, List.of(new Request.Operation(0, opening))),
            new Request(9, 4, List.of()),
            // These two were seen on their way into the client.
            new Request(9, 4, List.of(new Request.Operation(5, GET))),
            new Request(9, 4, List.of(new Request.Operation(6, new Command.KeepAlive()))));
    for (Request request : requests) {
      CompletableFuture<byte[]> unused = client.submit(RequestEncoder.encode(request));
      List<Reply> replies = request.sessionId() == 0 ? List.of(opened) : List.of();
      engine.last.complete(ResponseEncoder.encode(new Response(Response.Status.OK, "", replies)));
    }
    stop(recording);
    Contents found = read();
    assertThat(found.core)
        .extracting(TracedOperation::cause, TracedOperation::command, TracedOperation::reply)
        .containsExactly(
            tuple("session", opening, opened), tuple("lease", new Command.KeepAlive(), null));
  }
}
