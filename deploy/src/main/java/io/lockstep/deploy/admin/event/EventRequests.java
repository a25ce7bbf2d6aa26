package io.lockstep.deploy.admin.event;

import io.lockstep.core.resource.Shown;
import io.lockstep.deploy.admin.answer.QueryFields;
import io.lockstep.deploy.admin.answer.QueryFields.WrongQuery;
import io.lockstep.deploy.admin.answer.ResourceResponse;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Answers {@code GET /api/v1/events?kinds=device,link}. Thread-safe. */
public final class EventRequests {
  /** Follows events. */
  public static final String PATH = "/api/v1/events";

  /** Attribute of a request whose answer is a stream. */
  public static final String IS_STREAM = EventRequests.class.getName();

  /** Clients that follow events at most. */
  static final int MAX_STREAMS = 8;

  private static final Pattern KINDS = Pattern.compile("[a-z,]{1,100}");
  private static final String LAST_EVENT_ID = "Last-Event-ID";

  private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();

  /** Null until the node runs. */
  private volatile @Nullable EventLog log;

  /** Streams these from now on. */
  public void offer(EventLog events) {
    log = events;
  }

  /** Shows all clients that the node lives; to be called every few seconds. */
  public void beat() {
    streams.forEach(EventStream::beat);
  }

  /**
   * Begins a stream, and returns null; or gives the answer that says why not.
   *
   * @param callback completed at the end of the stream, where one began
   */
  public @Nullable ResourceResponse handle(
      Request request, Map<String, String> query, Response response, Callback callback) {
    EventLog events = log;
    if (!HttpMethod.GET.is(request.getMethod())) {
      return ResourceResponse.notAllowed("GET");
    }
    if (events == null) {
      return ResourceResponse.problem(503, "", "no node runs in this process", "ask a node");
    }
    Set<String> kinds;
    try {
      kinds = kinds(QueryFields.of(query, List.of("kinds")));
    } catch (WrongQuery e) {
      return e.response();
    }
    if (streams.size() >= MAX_STREAMS) {
      return ResourceResponse.problem(
          503, "", MAX_STREAMS + " clients follow events already", "end one, or ask another node");
    }
    String last = request.getHeaders().get(LAST_EVENT_ID);
    long place = last == null ? events.newest() : events.behind(last);
    String first = "";
    if (place < 0) {
      first = EventStream.missed("the last event is none of this process: some may be missed");
      place = events.newest();
    }
    request.setAttribute(IS_STREAM, true);
    response.setStatus(200);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/event-stream");
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    EventStream[] made = new EventStream[1];
    EventStream stream =
        new EventStream(events, kinds, place, response, callback, () -> streams.remove(made[0]));
    made[0] = stream;
    streams.add(stream);
    stream.start(first);
    return null;
  }

  private static Set<String> kinds(QueryFields fields) throws WrongQuery {
    String allowed = "some of " + String.join(",", EventLog.KINDS);
    String text = fields.text("kinds", KINDS, allowed);
    if (text.isEmpty()) {
      return Set.copyOf(EventLog.KINDS);
    }
    Set<String> kinds = new LinkedHashSet<>(List.of(text.split(",", -1)));
    for (String kind : kinds) {
      if (!EventLog.KINDS.contains(kind)) {
        throw new WrongQuery(
            "kinds", "kinds: '" + Shown.text(kind) + "' is none", "give " + allowed);
      }
    }
    return kinds;
  }
}
