package io.lockstep.deploy.status;

import io.lockstep.core.trace.TraceEvents;
import io.lockstep.core.trace.TraceHeader;
import io.lockstep.core.trace.TraceRecord.TraceEnded;
import io.lockstep.core.trace.TracedEvent;
import io.lockstep.core.trace.TracedOperation;
import io.lockstep.store.Bytes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sums a trace up: events of one application and kind with the same operations in the same order
 * are one line. Bounded in memory. Used by one thread.
 */
public final class TraceSummary implements TraceEvents.Sink {
  /** Lines at most; what does not fit is one line of its own. */
  private static final int MAX_SHAPES = 1_000;

  private static final int MAX_KEY_BYTES = 32;
  private static final String OTHER = "other";

  private final int wanted;
  private final Map<String, ShapeSum> shapes = new TreeMap<>();
  private final Map<String, OperationSum> core = new TreeMap<>();
  private final List<ShownEvent> events = new ArrayList<>();
  private final List<ShownOperation> coreOperations = new ArrayList<>();
  private long eventCount;
  private long operationCount;
  private long lastMicros;
  private @Nullable ShownTrace shown;

  /**
   * A trace as it is printed, also as JSON.
   *
   * @param seconds from its beginning to its last record
   * @param ended {@code stopped}, {@code full}, {@code low-disk}, {@code cut} or {@code damaged}
   * @param lost records that the recorder had no room for
   * @param earlier operations of events that began before the trace
   * @param events all of them
   * @param operations of events
   * @param shapes events with the same operations
   * @param core operations of the core, by cause
   * @param firstEvents as many as were wanted
   * @param firstCoreOperations the same
   */
  public record ShownTrace(
      String node,
      String cluster,
      String version,
      String started,
      double seconds,
      String ended,
      long lost,
      long earlier,
      long events,
      long operations,
      List<Shape> shapes,
      List<Step> core,
      List<ShownEvent> firstEvents,
      List<ShownOperation> firstCoreOperations) {}

  /**
   * Events of one application and kind with the same operations.
   *
   * @param outcomes how often each
   * @param meanMillis from begin to end; 0 where no end is known
   */
  public record Shape(
      String application,
      String event,
      long events,
      Map<String, Long> outcomes,
      double meanMillis,
      List<Step> operations) {}

  /**
   * One operation of such events, or all of the core with one cause; means of all.
   *
   * @param access {@code read} or {@code write}
   * @param target table or micro component
   */
  public record Step(
      String cause,
      String access,
      String type,
      String target,
      long count,
      double requestBytes,
      double replyBytes,
      double meanMillis) {}

  /** An event in full; times in milliseconds since the trace began. */
  public record ShownEvent(
      long number,
      String application,
      String event,
      String dpid,
      long port,
      double begunMillis,
      double endedMillis,
      String outcome,
      List<ShownOperation> operations) {}

  /** An operation in full. */
  public record ShownOperation(
      String cause,
      String access,
      String type,
      String target,
      String key,
      int requestBytes,
      String reply,
      int replyBytes,
      double askedMillis,
      double answeredMillis) {}

  private static final class OperationSum {
    private final TracedOperation first;
    private long count;
    private long requestBytes;
    private long replyBytes;
    private long micros;

    private OperationSum(TracedOperation first) {
      this.first = first;
    }

    private void add(TracedOperation operation) {
      count++;
      requestBytes += operation.requestBytes();
      replyBytes += operation.replyBytes();
      micros += operation.answeredMicros() - operation.askedMicros();
    }

    private Step step() {
      return new Step(
          first.cause(),
          access(first),
          first.type(),
          first.target(),
          count,
          mean(requestBytes, count),
          mean(replyBytes, count),
          mean(micros, count) / 1_000);
    }
  }

  private static final class ShapeSum {
    private final String application;
    private final String event;
    private final Map<String, Long> outcomes = new TreeMap<>();
    private final List<OperationSum> operations;
    private long count;
    private long ended;
    private long micros;

    private ShapeSum(TracedEvent first, boolean isOther) {
      application = isOther ? OTHER : first.application();
      event = isOther ? OTHER : first.kind();
      operations =
          isOther ? List.of() : first.operations().stream().map(OperationSum::new).toList();
    }

    private void add(TracedEvent next) {
      count++;
      outcomes.merge(next.outcome(), 1L, Long::sum);
      if (next.endedMicros() != TracedEvent.NEVER) {
        ended++;
        micros += next.endedMicros() - next.begunMicros();
      }
      for (int i = 0; i < operations.size(); i++) {
        operations.get(i).add(next.operations().get(i));
      }
    }

    private Shape shape() {
      return new Shape(
          application,
          event,
          count,
          outcomes,
          mean(micros, ended) / 1_000,
          operations.stream().map(OperationSum::step).toList());
    }
  }

  /**
   * Nothing yet.
   *
   * @param wanted so many events are kept in full, and as many operations of the core
   */
  public TraceSummary(int wanted) {
    this.wanted = wanted;
  }

  @Override
  public void event(TracedEvent event) {
    eventCount++;
    operationCount += event.operations().size();
    lastMicros = Math.max(lastMicros, Math.max(event.begunMicros(), event.endedMicros()));
    String key =
        event.application()
            + '\n'
            + event.kind()
            + event.operations().stream()
                .map(one -> '\n' + access(one) + ' ' + one.type() + ' ' + one.target())
                .collect(Collectors.joining());
    boolean isOther = !shapes.containsKey(key) && shapes.size() >= MAX_SHAPES;
    shapes.computeIfAbsent(isOther ? "~" : key, first -> new ShapeSum(event, isOther)).add(event);
    if (events.size() < wanted) {
      events.add(full(event));
    }
  }

  @Override
  public void core(TracedOperation operation) {
    lastMicros = Math.max(lastMicros, operation.answeredMicros());
    String key =
        operation.cause() + '\n' + access(operation) + operation.type() + '\n' + operation.target();
    boolean isOther = !core.containsKey(key) && core.size() >= MAX_SHAPES;
    core.computeIfAbsent(isOther ? "~" : key, first -> new OperationSum(operation)).add(operation);
    if (coreOperations.size() < wanted) {
      coreOperations.add(full(operation));
    }
  }

  /** The trace was read. */
  public void ended(TraceHeader header, TraceEvents.Reading reading) {
    TraceEnded end = reading.end();
    String how = end != null ? end.reason() : reading.damage() != null ? "damaged" : "cut";
    long micros = end == null ? lastMicros : end.micros();
    shown =
        new ShownTrace(
            header.node(),
            header.cluster(),
            header.version(),
            Instant.ofEpochMilli(header.startedMillis()).toString(),
            micros / 1e6,
            how,
            reading.lost(),
            end == null ? 0 : end.earlier(),
            eventCount,
            operationCount,
            shapes.values().stream().map(ShapeSum::shape).toList(),
            core.values().stream().map(OperationSum::step).toList(),
            List.copyOf(events),
            List.copyOf(coreOperations));
  }

  /**
   * What was summed up.
   *
   * @throws IllegalStateException before the trace was read
   */
  public ShownTrace shown() {
    if (shown == null) {
      throw new IllegalStateException("the trace was not read to its end");
    }
    return shown;
  }

  private static ShownEvent full(TracedEvent event) {
    return new ShownEvent(
        event.number(),
        event.application(),
        event.kind(),
        String.format(Locale.ROOT, "%016x", event.dpid()),
        event.port(),
        event.begunMicros() / 1e3,
        event.endedMicros() / 1e3,
        event.outcome(),
        event.operations().stream().map(TraceSummary::full).toList());
  }

  private static ShownOperation full(TracedOperation operation) {
    return new ShownOperation(
        operation.cause(),
        access(operation),
        operation.type(),
        operation.target(),
        key(operation.key()),
        operation.requestBytes(),
        operation.replyType(),
        operation.replyBytes(),
        operation.askedMicros() / 1e3,
        operation.answeredMicros() / 1e3);
  }

  private static String key(@Nullable Bytes key) {
    if (key == null) {
      return "-";
    }
    int shown = Math.min(key.length(), MAX_KEY_BYTES);
    return HexFormat.of().formatHex(key.toArray(), 0, shown) + (shown < key.length() ? "..." : "");
  }

  private static String access(TracedOperation operation) {
    return operation.isRead() ? "read" : "write";
  }

  private static double mean(long sum, long count) {
    return count == 0 ? 0 : (double) sum / count;
  }
}
