package io.lockstep.core.state;

import io.lockstep.store.logging.BoundedLog;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.onosproject.event.Event;
import org.onosproject.event.EventListener;
import org.onosproject.event.ListenerService;

/**
 * The listeners of one onos-api service. They are others' code: what one throws is reported and
 * counted, and the others hear the event all the same. Thread-safe; events are delivered on the
 * executor given, one at a time in the order of {@link #post} if it runs one task at a time.
 *
 * @param <E> the service's events
 * @param <L> the service's listeners
 */
public final class ListenerRegistry<E extends Event<?, ?>, L extends EventListener<E>>
    implements ListenerService<E, L> {
  private static final BoundedLog log = BoundedLog.of(ListenerRegistry.class);

  private final Executor executor;
  private final CopyOnWriteArrayList<L> listeners = new CopyOnWriteArrayList<>();
  private final AtomicLong failures = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();

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
   * Tells all listeners of an event, soon. Never blocks. Dropped and counted where the executor is
   * full: its listeners are too slow.
   */
  public void post(E event) {
    if (listeners.isEmpty()) {
      return;
    }
    try {
      executor.execute(() -> deliver(event));
    } catch (RejectedExecutionException e) {
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
  }

  /** How often a listener threw or an event was dropped. */
  public long failures() {
    return failures.get();
  }

  private void deliver(E event) {
    for (L listener : listeners) {
      try {
        if (listener.isRelevant(event)) {
          listener.event(event);
        }
      } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
        failures.incrementAndGet();
        log.error(
            listener.getClass(),
            "listener {} failed at event {}",
            listener.getClass().getName(),
            event,
            e);
      }
    }
  }
}
