package io.lockstep.store.client.cache;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;
import io.lockstep.store.StoreClient;
import io.lockstep.store.codec.Request;
import io.lockstep.store.core.StoreStateMachine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A store in simulated time whose clients' requests and replies overtake each other and get lost,
 * and that remembers what each watched read would have given at every moment.
 */
final class SimulatedStore {
  private static final long DEADLINE_MILLIS = 150;

  /** What a read gave from a moment on. */
  private record Moment(long atNanos, Reply reply) {}

  private record Event(long atNanos, long number, Runnable action) {}

  private final Random random;
  private final StoreStateMachine machine;
  private final long observer;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::number));
  private final Map<Command, List<Moment>> watched = new HashMap<>();
  private long nowNanos = 1_000_000_000_000L;
  private long count;

  SimulatedStore(Random random, StoreStateMachine machine) {
    this.random = random;
    this.machine = machine;
    observer = open();
  }

  private long open() {
    return ((Reply.SessionOpened) apply(0, new Command.OpenSession(++count, "simulated", 600_000)))
        .sessionId();
  }

  long nowNanos() {
    return nowNanos;
  }

  Random random() {
    return random;
  }

  /** Carries out a command at once, for the set-up. */
  Reply applyAtOnce(Command command) {
    return apply(observer, command);
  }

  private Reply apply(long session, Command command) {
    Request.Operation operation = new Request.Operation(++count, command);
    // The observer takes ids from the same count: it must not leave too many unacknowledged.
    long acknowledged = session == observer ? count : 0;
    return machine
        .apply(0, new Request(session, acknowledged, List.of(operation)))
        .replies()
        .get(0);
  }

  /** From now on {@link #wasRight} knows of this read. */
  void watch(Command read) {
    List<Moment> moments = new ArrayList<>();
    moments.add(new Moment(Long.MIN_VALUE, applyAtOnce(read)));
    watched.put(read, moments);
  }

  private void observe() {
    watched.forEach(
        (read, moments) -> {
          Reply reply = applyAtOnce(read);
          if (!reply.equals(moments.get(moments.size() - 1).reply())) {
            moments.add(new Moment(nowNanos, reply));
          }
        });
  }

  /** Whether {@code reply} answered {@code read} rightly at some time of a span. */
  boolean wasRight(Command read, Reply reply, long fromNanos, long toNanos) {
    List<Moment> moments = watched.getOrDefault(read, List.of());
    for (int i = 0; i < moments.size(); i++) {
      long begin = moments.get(i).atNanos();
      long end = i + 1 < moments.size() ? moments.get(i + 1).atNanos() : Long.MAX_VALUE;
      if (moments.get(i).reply().equals(reply) && begin <= toNanos && end >= fromNanos) {
        return true;
      }
    }
    return false;
  }

  /** Runs {@code action} in so many milliseconds. */
  void after(long millis, Runnable action) {
    events.add(new Event(nowNanos + TimeUnit.MILLISECONDS.toNanos(millis), ++count, action));
  }

  /** Runs what falls due within {@code millis}. */
  void run(long millis) {
    long endNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(millis);
    for (Event next = events.peek();
        next != null && next.atNanos() <= endNanos;
        next = events.peek()) {
      events.remove();
      nowNanos = next.atNanos();
      next.action().run();
    }
    nowNanos = endNanos;
  }

  Wire connect() {
    return new Wire();
  }

  /** One client's way to the store. */
  final class Wire implements StoreClient {
    private final List<SessionListener> listeners = new ArrayList<>();
    private SessionState session = new SessionState(open(), Long.MAX_VALUE / 2);

    /** Whether the store takes this client's writes of the owned table. */
    boolean mayWriteOwned;

    /** When the last write was applied whose reply has arrived. */
    final Map<Command, Long> appliedNanos = new HashMap<>();

    @Override
    public CompletableFuture<Reply> submit(Command command) {
      CompletableFuture<Reply> reply = new CompletableFuture<>();
      long sender = session.sessionId();
      boolean lost = random.nextInt(100) < 6;
      long there = random.nextInt(lost || random.nextInt(10) == 0 ? 500 : 25);
      if (!lost || random.nextBoolean()) {
        after(
            there,
            () -> {
              Reply answer = carryOut(sender, command);
              long appliedAt = nowNanos;
              if (!lost) {
                after(random.nextInt(25), () -> arrive(command, reply, answer, appliedAt));
              }
            });
      }
      after(DEADLINE_MILLIS, () -> reply.complete(new Reply.Unknown("simulated deadline")));
      return reply;
    }

    private Reply carryOut(long sender, Command command) {
      if (writesOwned(command) && !(mayWriteOwned && sender == session.sessionId())) {
        return new Reply.Rejected(Reason.COMPONENT_REFUSED, "fenced");
      }
      Reply answer = apply(sender, command);
      observe();
      return answer;
    }

    private void arrive(
        Command command, CompletableFuture<Reply> reply, Reply answer, long appliedAt) {
      if (!reply.isDone()) {
        appliedNanos.put(command, appliedAt);
      }
      reply.complete(answer);
    }

    private boolean writesOwned(Command command) {
      return EntryObservation.namedBy(command).entrySet().stream()
          .anyMatch(named -> named.getValue() && named.getKey().table().equals("owned"));
    }

    /** The client can no longer be sure of its session. */
    void lapse() {
      session = new SessionState(session.sessionId(), nowNanos);
    }

    /** It can again. */
    void recover() {
      session = new SessionState(session.sessionId(), Long.MAX_VALUE / 2);
    }

    /** The session ends and another begins. */
    void nextSession() {
      long old = session.sessionId();
      applyAtOnce(new Command.CloseSession(old));
      session = new SessionState(open(), Long.MAX_VALUE / 2);
      listeners.forEach(listener -> listener.ended(old));
      listeners.forEach(listener -> listener.opened(session.sessionId()));
    }

    @Override
    public SessionState session() {
      return session;
    }

    @Override
    public void onSessionChange(SessionListener listener) {
      listeners.add(listener);
    }

    @Override
    public void close() {}
  }
}
