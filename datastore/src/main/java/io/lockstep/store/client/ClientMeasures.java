package io.lockstep.store.client;

import io.lockstep.store.Reply;
import io.lockstep.store.engine.OrderingClient;
import io.lockstep.store.measure.DurationHistogram;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * How a client's operations ended and how long they took, from the call of {@code submit} to the
 * reply, since the client was opened. Thread-safe.
 */
public final class ClientMeasures implements PendingOperation.Observer {
  /** Whether an operation only read. */
  public enum Kind {
    READ,
    WRITE
  }

  /** How an operation ended. */
  public enum Result {
    /** The replicas carried it out. */
    DONE,
    /** Its precondition did not hold; nothing was changed. */
    CONFLICT,
    /** The replicas or the client's bounds refused it. */
    REJECTED,
    /** The client did not send it: too much waits, or its session ended. */
    NOT_SENT,
    /** No majority answered in time. */
    UNKNOWN
  }

  private final LongSupplier nanoClock;
  private final WaitingOperations waiting;
  private final OrderingClient engine;
  private final OfKind reads = new OfKind();
  private final OfKind writes = new OfKind();

  /** The operations of one kind. */
  private static final class OfKind {
    final Map<Result, LongAdder> counts = new EnumMap<>(Result.class);
    final DurationHistogram durations = new DurationHistogram();

    OfKind() {
      for (Result result : Result.values()) {
        counts.put(result, new LongAdder());
      }
    }

    LongAdder count(Result result) {
      return Objects.requireNonNull(counts.get(result));
    }
  }

  ClientMeasures(LongSupplier nanoClock, WaitingOperations waiting, OrderingClient engine) {
    this.nanoClock = nanoClock;
    this.waiting = waiting;
    this.engine = engine;
  }

  /**
   * What a client has to do.
   *
   * @param waiting operations that wait to be sent
   * @param waitingBytes their bytes, about
   * @param requestsInFlight requests that have no answer yet
   * @param retries how often a request was sent again since the client was opened
   */
  public record Load(int waiting, long waitingBytes, int requestsInFlight, long retries) {}

  /** What waits and what is under way now. */
  public Load load() {
    return new Load(
        waiting.count(), waiting.bytes(), engine.requestsInFlight(), engine.retriesSoFar());
  }

  /** Records an operation that has its reply; one that was not sent has no duration. */
  @Override
  public void completed(PendingOperation operation, Reply reply) {
    OfKind kind = operation.command().isRead() ? reads : writes;
    Result result = resultOf(reply);
    kind.count(result).increment();
    if (result != Result.NOT_SENT) {
      kind.durations.record(nanoClock.getAsLong() - operation.submittedNanos());
    }
  }

  private static Result resultOf(Reply reply) {
    if (reply instanceof Reply.Rejected rejected) {
      return switch (rejected.reason()) {
        case NOT_SENT, SESSION_ENDED -> Result.NOT_SENT;
        default -> Result.REJECTED;
      };
    }
    if (reply instanceof Reply.Unknown) {
      return Result.UNKNOWN;
    }
    return reply instanceof Reply.Conflict || reply instanceof Reply.BatchRefused
        ? Result.CONFLICT
        : Result.DONE;
  }

  /** How many operations of a kind ended so. */
  public long count(Kind kind, Result result) {
    return of(kind).count(result).sum();
  }

  /** How long the operations of a kind took. */
  public DurationHistogram.Reading durations(Kind kind) {
    return of(kind).durations.read();
  }

  private OfKind of(Kind kind) {
    return kind == Kind.READ ? reads : writes;
  }
}
