package io.lockstep.deploy.admin.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * One client that follows events (server-sent events, HTML Living Standard section 9.2). At most
 * one write is on its way; when it is done the next ones are read from the log. So nothing waits in
 * memory for a slow client. One that falls behind the log gets a last event {@code missed}, and its
 * stream ends. Thread-safe.
 */
final class EventStream {
  /** Events of one write. */
  private static final int BATCH = 64;

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String BEAT = ": \n\n";

  private final EventLog log;
  private final Set<String> kinds;
  private final Response response;
  private final Callback callback;
  private final Runnable whenEnded;
  private final Runnable wake = this::pump;

  /** Guarded by this. */
  private long place;

  private boolean isWriting;
  private boolean beatIsDue;
  private boolean isEnded;

  /**
   * A stream that has not begun.
   *
   * @param callback completed once, at the end
   * @param whenEnded run once, at the end
   */
  EventStream(
      EventLog log,
      Set<String> kinds,
      long place,
      Response response,
      Callback callback,
      Runnable whenEnded) {
    this.log = log;
    this.kinds = kinds;
    this.place = place;
    this.response = response;
    this.callback = callback;
    this.whenEnded = whenEnded;
  }

  /**
   * Begins.
   *
   * @param first is written before all events; may be empty
   */
  void start(String first) {
    log.addListener(wake);
    synchronized (this) {
      isWriting = true;
    }
    write(BEAT + first, false);
  }

  /** Shows that the node lives, where nothing else is on its way. */
  void beat() {
    synchronized (this) {
      beatIsDue = true;
    }
    pump();
  }

  /** The note that events were lost for this client. */
  static String missed(String why) {
    return "event: missed\ndata: {\"detail\":\"" + why + "\"}\n\n";
  }

  private void pump() {
    StringBuilder text = new StringBuilder();
    boolean isLast;
    synchronized (this) {
      if (isWriting || isEnded) {
        return;
      }
      EventLog.Batch batch = log.read(place, kinds, BATCH);
      place = batch.place();
      isLast = batch.missed() > 0;
      if (isLast) {
        text.append(missed(batch.missed() + " events were overwritten before they were read"));
      } else {
        batch.events().forEach(event -> append(text, event));
      }
      if (text.isEmpty() && beatIsDue) {
        text.append(BEAT);
      }
      if (text.isEmpty()) {
        return;
      }
      beatIsDue = false;
      isWriting = true;
    }
    write(text.toString(), isLast);
  }

  private static void append(StringBuilder text, EventLog.Event event) {
    try {
      text.append("id: ")
          .append(event.id())
          .append("\nevent: ")
          .append(event.kind())
          .append("\ndata: ")
          .append(JSON.writeValueAsString(event))
          .append("\n\n");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an event that is no JSON", e);
    }
  }

  private void write(String text, boolean isLast) {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    response.write(
        isLast,
        bytes,
        Callback.from(
            () -> {
              synchronized (this) {
                isWriting = false;
              }
              if (isLast) {
                end(null);
              } else {
                pump();
              }
            },
            this::end));
  }

  private void end(@Nullable Throwable failure) {
    synchronized (this) {
      if (isEnded) {
        return;
      }
      isEnded = true;
    }
    log.removeListener(wake);
    whenEnded.run();
    if (failure == null) {
      callback.succeeded();
    } else {
      callback.failed(failure);
    }
  }
}
