package io.lockstep.core.recording;

import io.lockstep.store.StoreClient;
import io.lockstep.store.engine.OrderingClient;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a node's store traffic passes, recorded or not. While nothing is recorded each call costs
 * one volatile read and allocates nothing. Thread-safe.
 */
public final class StoreTraffic {
  /** The event for which a thread asks the store at the moment. */
  private static final ThreadLocal<EventTrace> ASKING = new ThreadLocal<>();

  private volatile @Nullable Recording recording;

  /** The client through which a node asks, so that its operations can be recorded. */
  public StoreClient around(StoreClient store) {
    return new RecordedStore(store, this);
  }

  /** The engine below that client, for what the client does by itself. */
  public OrderingClient around(OrderingClient engine) {
    return new RecordedEngine(engine, this);
  }

  /** Whether a trace is recorded now. */
  public boolean isRecorded() {
    return recording != null;
  }

  @Nullable Recording recording() {
    return recording;
  }

  /** The event of this thread; null where it asks for none. */
  static @Nullable EventTrace asking() {
    return ASKING.get();
  }

  /**
   * An application decided for the first time on an event; null where nothing is recorded.
   *
   * @param application one of the node's
   * @param kind one of a few words
   * @param dpid of the switch
   * @param port of the switch; -1 for none
   */
  public @Nullable EventTrace begin(String application, String kind, long dpid, long port) {
    Recording present = recording;
    return present == null ? null : present.begun(application, kind, dpid, port);
  }

  /**
   * Asks the store for an event: what is submitted meanwhile on this thread belongs to the event.
   *
   * @param event null where it began before the recording
   */
  public <T> T ask(@Nullable EventTrace event, Supplier<T> question) {
    ASKING.set(event == null ? EventTrace.EARLIER : event);
    try {
      return question.get();
    } finally {
      ASKING.remove();
    }
  }

  /**
   * Records from now on.
   *
   * @throws IllegalStateException where another recording is on
   */
  public synchronized void attach(Recording next) {
    if (recording != null) {
      throw new IllegalStateException("one recording is on already");
    }
    recording = next;
  }

  /** Records no more; nothing where the recording is not the present one. */
  public synchronized void detach(Recording ended) {
    if (recording == ended) {
      recording = null;
    }
  }
}
