package io.lockstep.core.trace;

import io.lockstep.core.trace.TraceRecord.EventBegun;
import io.lockstep.core.trace.TraceRecord.EventEnded;
import io.lockstep.core.trace.TraceRecord.OperationAnswered;
import io.lockstep.core.trace.TraceRecord.RecordsLost;
import io.lockstep.core.trace.TraceRecord.TraceEnded;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.CodecException;
import io.lockstep.store.codec.RequestDecoder;
import io.lockstep.store.codec.ResponseDecoder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts the records of a trace together: events with their operations, and those of the core. */
public final class TraceEvents {
  private final Sink sink;

  /** Events that have not ended, by number, in the order in which they began. */
  private final Map<Long, OpenEvent> open = new LinkedHashMap<>();

  private long lost;
  private long orphans;

  private record OpenEvent(EventBegun begun, List<TracedOperation> operations) {}

  /** Takes what a trace has. */
  public interface Sink {
    /** An event, in the order of their ends; those without an end come last. */
    void event(TracedEvent event);

    /** An operation of the core, in the order of their answers. */
    void core(TracedOperation operation);
  }

  /**
   * How the reading of a trace ended.
   *
   * @param end the trace's own end; null where it is cut or damaged
   * @param lost records that the recorder had no room for
   * @param orphans operations and ends of events whose beginning was lost
   * @param damage where the trace is damaged, else null
   */
  public record Reading(
      @Nullable TraceEnded end, long lost, long orphans, @Nullable TraceException damage) {
    /** Whether the trace ended in order and nothing is missing in it. */
    public boolean isComplete() {
      return end != null && lost == 0 && damage == null;
    }
  }

  private TraceEvents(Sink sink) {
    this.sink = sink;
  }

  /**
   * Reads a trace to its end, or as far as it is good.
   *
   * @throws IOException where the file cannot be read
   */
  public static Reading read(TraceReader reader, Sink sink) throws IOException {
    TraceEvents events = new TraceEvents(sink);
    TraceException damage = null;
    try {
      for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
        events.take(record);
      }
    } catch (TraceException e) {
      damage = e;
    } catch (CodecException e) {
      damage = reader.unreadable(e);
    }
    events.open.values().forEach(one -> sink.event(closed(one, null)));
    return new Reading(reader.end(), events.lost, events.orphans, damage);
  }

  private void take(TraceRecord record) {
    if (record instanceof EventBegun begun) {
      open.put(begun.event(), new OpenEvent(begun, new ArrayList<>(2)));
    } else if (record instanceof OperationAnswered operation) {
      take(operation);
    } else if (record instanceof EventEnded ended) {
      OpenEvent event = open.remove(ended.event());
      if (event == null) {
        orphans++;
      } else {
        sink.event(closed(event, ended));
      }
    } else if (record instanceof RecordsLost some) {
      lost += some.records();
    }
  }

  private void take(OperationAnswered record) {
    TracedOperation operation = decode(record);
    if (record.event() == OperationAnswered.CORE) {
      sink.core(operation);
      return;
    }
    OpenEvent event = open.get(record.event());
    if (event == null) {
      orphans++;
    } else {
      event.operations().add(operation);
    }
  }

  private static TracedOperation decode(OperationAnswered record) {
    ByteReader request = new ByteReader(record.request());
    ByteReader reply = new ByteReader(record.reply());
    TracedOperation operation =
        new TracedOperation(
            record.cause(),
            record.askedMicros(),
            record.micros(),
            RequestDecoder.command(request),
            reply.remaining() == 0 ? null : ResponseDecoder.reply(reply),
            record.request().length(),
            record.reply().length());
    request.end();
    reply.end();
    return operation;
  }

  private static TracedEvent closed(OpenEvent event, @Nullable EventEnded ended) {
    EventBegun begun = event.begun();
    event.operations().sort(Comparator.comparingLong(TracedOperation::askedMicros));
    return new TracedEvent(
        begun.event(),
        begun.application(),
        begun.kind(),
        begun.dpid(),
        begun.port(),
        begun.micros(),
        ended == null ? TracedEvent.NEVER : ended.micros(),
        ended == null ? TracedEvent.UNFINISHED : ended.outcome(),
        event.operations());
  }
}
