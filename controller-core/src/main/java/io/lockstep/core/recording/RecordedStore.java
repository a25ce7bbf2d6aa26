package io.lockstep.core.recording;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.concurrent.CompletableFuture;

/**
 * The node's client of the store, whose operations are recorded while a trace is on. Thread-safe.
 */
final class RecordedStore implements StoreClient {
  private final StoreClient store;
  private final StoreTraffic traffic;

  RecordedStore(StoreClient store, StoreTraffic traffic) {
    this.store = store;
    this.traffic = traffic;
  }

  @Override
  public CompletableFuture<Reply> submit(Command command) {
    Recording recording = traffic.recording();
    if (recording == null) {
      return store.submit(command);
    }
    EventTrace event = StoreTraffic.asking();
    long askedNanos = recording.nanos();
    // The caller goes on behind the record, so that an event ends behind its operations.
    return store
        .submit(command)
        .whenComplete(
            (reply, failure) -> {
              if (reply != null) {
                recording.answered(event, command, reply, askedNanos);
              }
            });
  }

  @Override
  public SessionState session() {
    return store.session();
  }

  @Override
  public void onSessionChange(SessionListener listener) {
    store.onSessionChange(listener);
  }

  @Override
  public void close() {
    store.close();
  }
}
