package io.lockstep.bench.rest;

import io.lockstep.bench.measure.Figures;
import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.measure.Window;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to nodes at a fixed rate, each at its own instant. Latency counts from that
 * instant, so a node that stalls does not hide what it delayed. Any answer that is no success
 * counts as lost. Used by one thread; its workers end with {@link #run}.
 */
final class RestLoad {
  /** Requests under way at most; connections are kept and used again. */
  static final int WORKERS = 24;

  private static final int SUCCESSES = 200;
  private static final int FAILURES = 300;

  private final List<String> nodes;
  private final int switches;
  private final int perSecond;
  private final Map<String, String> tags = new ConcurrentHashMap<>();
  private long next;
  private final AtomicLong firstFailure = new AtomicLong(-1);

  /**
   * A load.
   *
   * @param nodes host and port of each node's admin HTTP; requests go to each in turn
   * @param perSecond requests a second, one of {@value RestRequest#TURN} a write
   */
  RestLoad(List<String> nodes, int switches, int perSecond) {
    this.nodes = List.copyOf(nodes);
    this.switches = switches;
    this.perSecond = perSecond;
  }

  /**
   * What a run gave.
   *
   * @param failure HTTP status of a request that failed; -1 where none did, 0 where one had no
   *     answer
   */
  record Result(Figures reads, Figures writes, long failure) {}

  /** Sends until the schedule's window ends, and waits for all answers. */
  Result run(Schedule schedule) throws InterruptedException {
    firstFailure.set(-1);
    DueRequests requests = new DueRequests(System.nanoTime(), schedule);
    ExecutorService workers =
        Executors.newFixedThreadPool(
            WORKERS,
            work -> {
              Thread thread = new Thread(work, "rest-load");
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < WORKERS; i++) {
        all.add(workers.submit(() -> work(requests)));
      }
      for (Future<?> worker : all) {
        worker.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("the load failed", e.getCause());
    } finally {
      workers.shutdownNow();
    }
    return new Result(
        requests.reads.figures(WORKERS), requests.writes.figures(WORKERS), firstFailure.get());
  }

  /** Which request is next in a run, and when. Requests are numbered on over all runs. */
  private final class DueRequests {
    private final long begin;
    private final Window reads;
    private final Window writes;
    private final int deadlineMillis;
    private long sent;

    DueRequests(long begin, Schedule schedule) {
      this.begin = begin;
      this.reads = new Window(begin, schedule);
      this.writes = new Window(begin, schedule);
      this.deadlineMillis = schedule.deadlineMillis();
    }

    synchronized @Nullable DueRequest take() {
      long due = begin + sent * TimeUnit.SECONDS.toNanos(1) / perSecond;
      if (due - reads.endNanos() >= 0) {
        return null;
      }
      sent++;
      return new DueRequest(next++, due);
    }

    synchronized void ended(DueRequest request, int status, long now) {
      Window window = RestRequest.isWrite(request.number) ? writes : reads;
      window.sent(request.due);
      if (status >= SUCCESSES && status < FAILURES) {
        window.answered(request.due, now);
      } else {
        window.lost(request.due);
        firstFailure.compareAndSet(-1, status);
      }
    }
  }

  private record DueRequest(long number, long due) {}

  private void work(DueRequests requests) {
    DueRequest request = requests.take();
    while (request != null) {
      awaitInstant(request.due);
      int status = send(request.number, requests.deadlineMillis);
      requests.ended(request, status, System.nanoTime());
      request = requests.take();
    }
  }

  private static void awaitInstant(long due) {
    long left = due - System.nanoTime();
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = due - System.nanoTime();
    }
  }

  /** The status of the answer; 0 where there is none. */
  private int send(long number, int deadlineMillis) {
    RestRequest request = RestRequest.of(number, switches);
    String node = nodes.get((int) (number % nodes.size()));
    try {
      HttpURLConnection connection =
          (HttpURLConnection)
              URI.create("http://" + node + request.path()).toURL().openConnection();
      connection.setRequestMethod(request.method());
      connection.setConnectTimeout(deadlineMillis);
      connection.setReadTimeout(deadlineMillis);
      condition(connection, request);
      String body = request.body();
      if (body != null) {
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        try (OutputStream out = connection.getOutputStream()) {
          out.write(body.getBytes(StandardCharsets.UTF_8));
        }
      }
      int status = connection.getResponseCode();
      String tag = connection.getHeaderField("ETag");
      if (request.method().equals("PUT") && tag != null) {
        tags.put(request.path(), tag);
      }
      // To the end, or the connection is not used again.
      try (InputStream in =
          status < FAILURES ? connection.getInputStream() : connection.getErrorStream()) {
        if (in != null) {
          in.readAllBytes();
        }
      }
      return status;
    } catch (IOException noAnswer) {
      return 0;
    }
  }

  /** A flow is added where it is not there, and removed as it was added. */
  private void condition(HttpURLConnection connection, RestRequest request) {
    if (request.method().equals("PUT")) {
      connection.setRequestProperty("If-None-Match", "*");
    } else if (request.method().equals("DELETE")) {
      connection.setRequestProperty("If-Match", tags.getOrDefault(request.path(), "\"0\""));
    }
  }
}
