package io.lockstep.core.state;

import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.onosproject.event.Event;
import org.onosproject.event.EventListener;
import org.onosproject.event.ListenerService;

/**
 * The listeners of one onos-api service. They are others' code: what one throws is reported and
 * counted, and the others hear the event all the same. Events are delivered on the executor given,
 * one at a time in the order of {@link #post}; one task waits there at most, so a service with many
 * events takes no other service's place.
 *
 * <p>At most {@link #MAX_WAITING} events wait. Further ones are dropped and counted, and {@link
 * ResyncListener#resync} is called in their place. Thread-safe.
 *
 * @param <E> the service's events
 * @param <L> the service's listeners
 */
public final class ListenerRegistry<E extends Event<?, ?>, L extends EventListener<E>>
    implements ListenerService<E, L> {

  /** Events that wait for the listeners. */
  public static final int MAX_WAITING = 1 << 14;

  private static final BoundedLog log = BoundedLog.of(ListenerRegistry.class);

  private final Executor executor;
  private final CopyOnWriteArrayList<L> listeners = new CopyOnWriteArrayList<>();
  private final AtomicLong failures = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();

  /** Guarded by itself. Empty where events were dropped; never two of these in a row. */
  private final ArrayDeque<Optional<E>> waiting = new ArrayDeque<>();

  /** Whether a task waits or runs; guarded by {@link #waiting}. */
  private boolean running;

  /** A registry without listeners. */
  public ListenerRegistry(Executor executor) {
    this.executor = executor;
  }

  @Override
  public void addListener(L listener) {
    listeners.addIfAbsent(listener);
  }

  @Override
  public void removeListener(L listener) {
    listeners.remove(listener);
  }

  /**
   * Tells all listeners of an event, soon. Never blocks. Dropped and counted where too many events
   * wait: the listeners are too slow.
   */
  public void post(E event) {
    if (listeners.isEmpty()) {
      return;
    }
    boolean first;
    synchronized (waiting) {
      if (waiting.size() < MAX_WAITING) {
        waiting.add(Optional.of(event));
      } else {
        drop(event);
      }
      first = !running;
      running = true;
    }
    if (first) {
      submit();
    }
  }

  private void drop(E event) {
    Optional<E> last = waiting.peekLast();
    if (last != null && last.isPresent()) {
      waiting.add(Optional.empty());
    }
    failures.incrementAndGet();
    long drops = dropped.incrementAndGet();
    // A storm of events writes a line for each doubling, not for each event.
    if (Long.bitCount(drops) == 1) {
      log.error(
          "listeners",
          "event {} was dropped: its listeners are too slow ({} so far)",
          event,
          drops);
    }
  }

  private void submit() {
    try {
      executor.execute(this::deliverNext);
    } catch (RejectedExecutionException e) {
      failures.incrementAndGet();
      log.error("executor", "events wait for the next one: {}", e.getMessage());
      synchronized (waiting) {
        running = false;
      }
    }
  }

  private void deliverNext() {
    Optional<E> next;
    synchronized (waiting) {
      next = waiting.poll();
    }
    try {
      if (next != null) {
        deliver(next);
      }
    } finally {
      boolean more;
      synchronized (waiting) {
        more = !waiting.isEmpty();
        running = more;
      }
      if (more) {
        submit();
      }
    }
  }

  /** How often a listener threw or an event was dropped. */
  public long failures() {
    return failures.get();
  }

  /** Delivers an event; where there is none, events were dropped. */
  private void deliver(Optional<E> next) {
    for (L listener : listeners) {
      try {
        if (next.isPresent()) {
          tell(listener, next.get());
        } else if (listener instanceof ResyncListener resyncing) {
          resyncing.resync();
        }
      } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
        failures.incrementAndGet();
        log.error(
            listener.getClass(),
            "listener {} failed at event {}",
            listener.getClass().getName(),
            next.isPresent() ? next.get() : "none, after events were dropped",
            e);
      }
    }
  }

  private void tell(L listener, E event) {
    if (listener.isRelevant(event)) {
      listener.event(event);
    }
  }
}
