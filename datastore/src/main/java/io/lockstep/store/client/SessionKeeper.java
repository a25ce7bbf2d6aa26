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
 * <p>How long the session is surely alive: the replicas end it when more ordered time than its time
 * to live has passed since the last applied request of the session. That request was proposed after
 * it was sent. From one proposal to the next, ordered time advances at most by what the clock of
 * the later one's leader ran between them ({@link io.lockstep.store.engine.LeaderClock}), whatever
 * the number of leaders. So ordered time can run ahead of this process's clock only by the drift of
 * the monotonic clocks. This class assumes a drift of {@value #DRIFT_PERCENT} % at most between any
 * two processes and subtracts it (docs/adr/0015).
 */
final class SessionKeeper {
  private static final Logger log = LoggerFactory.getLogger(SessionKeeper.class);
  private static final FailureLog failures = FailureLog.of(SessionKeeper.class);
  private static final int MAX_KEEP_ALIVES = 2;

  /** How much faster one process's monotonic clock runs than another's, at most. */
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
   * @param engine hands a request to the engine; called on the loop, which also completes the
   *     answer
   * @param onOpened called on the loop when a session was opened
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
    // A part of the whole time to live, not of the rest: 0.98 times 1.02 is less than 1.
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

  /** Opens a session if there is none; sends a request that keeps it alive if one is due. */
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
      notifyListeners(listener -> listener.opened(session.sessionId()));
      onOpened.run();
    } else if (reply instanceof Reply.Rejected rejected) {
      // The answer came late: the session of this nonce has ended meanwhile.
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

  /** Logs a new reason, and keeps it. The next tick asks again. */
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
        log.warn(
            "the answer to a request that keeps the session alive cannot be read{}", more, garbage);
      }
    }
  }

  /** Notes that a request of the session was sent. */
  void sent(long sentNanos) {
    lastSentNanos = sentNanos;
  }

  /** Takes the status of an answer to a request of a session. */
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

  /** Stops opening sessions and keeping them alive. */
  void stop() {
    stopped = true;
  }

  /** Ends the session, and notifies the listeners. */
  void end() {
    long ended = sessionId();
    if (ended != 0) {
      state = new SessionState(0, nanoClock.getAsLong());
      notifyListeners(listener -> listener.ended(ended));
    }
  }

  private void notifyListeners(Consumer<SessionListener> news) {
    for (SessionListener listener : listeners) {
      try {
        news.accept(listener);
      } catch (RuntimeException e) {
        log.error("session listener {} failed", listener, e);
      }
    }
  }
}
