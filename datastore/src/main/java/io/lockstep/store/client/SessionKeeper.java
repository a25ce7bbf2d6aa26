package io.lockstep.store.client;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient.SessionListener;
import io.lockstep.store.StoreClient.SessionState;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.CodecException;
import io.lockstep.store.codec.Request;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.codec.Response;
import io.lockstep.store.codec.ResponseDecoder;
import io.lockstep.store.logging.FailureLog;
import io.lockstep.store.logging.LogLimit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a session, keeps it alive, opens another when it ends. Owned by the loop, but for {@link
 * #state} and {@link #addListener}.
 *
 * <p>How long the session is surely alive: the replicas end it once more than its time to live has
 * passed, in ordered time, since the last sign of life they applied, and that was proposed after it
 * was sent. From one proposal to the next ordered time advances no further than the clock of the
 * leader that made the later one has run between them ({@link
 * io.lockstep.store.engine.LeaderClock}), however many leaders there were. So it can run ahead of
 * ours by the drift of the monotonic clocks alone, taken as {@value #DRIFT_PERCENT} % at most
 * between any two processes, and that much is subtracted (docs/adr/0015).
 */
final class SessionKeeper {
  private static final Logger log = LoggerFactory.getLogger(SessionKeeper.class);
  private static final FailureLog failures = FailureLog.of(SessionKeeper.class);
  private static final int MAX_KEEP_ALIVES = 2;

  /** By so much at most does one process's monotonic clock run faster than another's. */
  private static final int DRIFT_PERCENT = 2;

  private final ClientOptions options;
  private final LongSupplier nanoClock;
  private final LongSupplier nonces;
  private final LongSupplier acknowledgedBelow;
  private final Function<byte[], CompletableFuture<byte[]>> engine;
  private final Runnable onOpened;
  private final List<SessionListener> listeners = new CopyOnWriteArrayList<>();
  private final long validNanos;
  private final LogLimit logLimit;

  private volatile SessionState state = new SessionState(0, 0);
  private long nonce;
  private boolean nonceUsed = true;
  private boolean opening;
  private boolean stopped;
  private int keepAlives;
  private long lastSentNanos;
  private String refusal = "";

  /**
   * @param acknowledgedBelow see {@link Request}; asked on the loop
   * @param engine hands a request to the engine, from the loop; the answer comes there too
   * @param onOpened told on the loop once there is a session
   */
  SessionKeeper(
      ClientOptions options,
      LongSupplier nanoClock,
      LongSupplier nonces,
      LongSupplier acknowledgedBelow,
      Function<byte[], CompletableFuture<byte[]>> engine,
      Runnable onOpened) {
    this.options = options;
    this.nanoClock = nanoClock;
    this.logLimit = new LogLimit(nanoClock);
    this.nonces = nonces;
    this.acknowledgedBelow = acknowledgedBelow;
    this.engine = engine;
    this.onOpened = onOpened;
    this.validNanos = validNanos(options.timeToLiveMillis());
  }

  private static long validNanos(int timeToLiveMillis) {
    // Of the whole, not of what remains: 0.98 of the time to live times 1.02 is less than it.
    return TimeUnit.MILLISECONDS.toNanos(timeToLiveMillis) / 100 * (100 - DRIFT_PERCENT);
  }

  /** Any thread. */
  SessionState state() {
    return state;
  }

  /** Any thread. */
  void addListener(SessionListener listener) {
    listeners.add(listener);
  }

  long sessionId() {
    return state.sessionId();
  }

  /** Why the replicas opened no session when they were asked last; empty where they did. */
  String refusal() {
    return refusal;
  }

  /** How often {@link #tick} wants to be called. */
  long tickNanos() {
    return TimeUnit.MILLISECONDS.toNanos(options.timeToLiveMillis()) / 16;
  }

  /** Opens a session where there is none; sends a sign of life where one is due. */
  void tick() {
    if (stopped) {
      return;
    }
    if (sessionId() == 0) {
      open();
    } else if (nanoClock.getAsLong() - lastSentNanos >= 4 * tickNanos()
        && keepAlives < MAX_KEEP_ALIVES) {
      keepAlive();
    }
  }

  private void open() {
    if (opening) {
      return;
    }
    if (nonceUsed) {
      nonce = nonces.getAsLong();
      nonceUsed = false;
    }
    opening = true;
    long sentNanos = nanoClock.getAsLong();
    Command command = new Command.OpenSession(nonce, options.owner(), options.timeToLiveMillis());
    byte[] request =
        RequestEncoder.encode(new Request(0, 0, List.of(new Request.Operation(0, command))));
    failures.handle(
        options.owner(),
        "opening a session",
        engine.apply(request),
        (bytes, failure) -> {
          opening = false;
          Outcomes.logUnexpected(failure);
          if (!stopped && bytes != null) {
            opened(bytes, sentNanos);
          }
          // Otherwise the next tick asks again, with the same nonce.
        });
  }

  private void opened(byte[] bytes, long sentNanos) {
    Reply reply = onlyReply(bytes);
    if (reply instanceof Reply.SessionOpened session) {
      refusal = "";
      nonceUsed = true;
      lastSentNanos = sentNanos;
      state = new SessionState(session.sessionId(), sentNanos + validNanos);
      tell(listener -> listener.opened(session.sessionId()));
      onOpened.run();
    } else if (reply instanceof Reply.Rejected rejected) {
      // An answer that came late: the session of this nonce has ended meanwhile.
      nonceUsed = true;
      refused(rejected.message());
    }
  }

  private @Nullable Reply onlyReply(byte[] bytes) {
    try {
      Response response = ResponseDecoder.decode(bytes);
      if (response.status() == Response.Status.MALFORMED) {
        refused("the replicas cannot read the request: " + response.message());
      }
      List<Reply> replies = response.replies();
      return replies.size() == 1 ? replies.get(0) : null;
    } catch (CodecException garbage) {
      refused("the answer cannot be read: " + garbage.getMessage());
      return null;
    }
  }

  /** Told when it is news: the next tick asks again. */
  private void refused(String why) {
    String more = why.equals(refusal) ? null : logLimit.admit("refused");
    if (more != null) {
      log.warn("no session for {}: {}{}", options.owner(), why, more);
    }
    refusal = why;
  }

  private void keepAlive() {
    long sessionId = sessionId();
    long sentNanos = nanoClock.getAsLong();
    keepAlives++;
    lastSentNanos = sentNanos;
    ByteWriter request = new ByteWriter(32);
    RequestEncoder.header(request, sessionId, acknowledgedBelow.getAsLong(), 0);
    failures.handle(
        options.owner(),
        "keeping the session alive",
        engine.apply(request.toArray()),
        (bytes, failure) -> {
          keepAlives--;
          Outcomes.logUnexpected(failure);
          if (bytes != null) {
            answered(sessionId, sentNanos, bytes);
          }
        });
  }

  private void answered(long sessionId, long sentNanos, byte[] bytes) {
    try {
      answered(sessionId, sentNanos, ResponseDecoder.decode(bytes).status());
    } catch (CodecException garbage) {
      String more = logLimit.admit("garbage");
      if (more != null) {
        log.warn("the answer to a sign of life cannot be read{}", more, garbage);
      }
    }
  }

  /** A request of a session was sent. */
  void sent(long sentNanos) {
    lastSentNanos = sentNanos;
  }

  /** A request of a session was answered. */
  void answered(long sessionId, long sentNanos, Response.Status status) {
    SessionState now = state;
    if (sessionId != now.sessionId()) {
      return;
    }
    if (status == Response.Status.SESSION_ENDED) {
      end();
      tick();
    } else if (status == Response.Status.OK && sentNanos + validNanos - now.validUntilNanos() > 0) {
      state = new SessionState(sessionId, sentNanos + validNanos);
    }
  }

  /** Opens no session any more. */
  void stop() {
    stopped = true;
  }

  /** The session is over. */
  void end() {
    long ended = sessionId();
    if (ended != 0) {
      state = new SessionState(0, nanoClock.getAsLong());
      tell(listener -> listener.ended(ended));
    }
  }

  private void tell(Consumer<SessionListener> news) {
    for (SessionListener listener : listeners) {
      try {
        news.accept(listener);
      } catch (RuntimeException e) {
        log.error("session listener {} failed", listener, e);
      }
    }
  }
}
