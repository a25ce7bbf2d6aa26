package io.lockstep.store.client;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;
import io.lockstep.store.StoreClient;
import io.lockstep.store.client.RequestWindow.Sent;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.Request;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.core.Limits;
import io.lockstep.store.engine.ChangeHints;
import io.lockstep.store.engine.OrderingClient;
import io.lockstep.store.logging.FailureLog;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store's client over an ordering engine. With few requests in flight it sends a command at
 * once. The more are in flight, the more commands a further request must carry, up to {@link
 * #MAX_BATCH}; it holds no command back for longer than {@link #LINGER_MICROS}. Commands that only
 * read have requests of their own, since their replies need not wait for the disk. For the same
 * reason these requests do not extend the session.
 *
 * <p>Requests may overtake each other: commands that are in flight together take effect in any
 * order. A caller that needs an order waits for the first reply.
 *
 * <p>A command that can change something belongs to the session under which it was submitted. If
 * that session ends before the command is sent, the client rejects it with {@link
 * Reply.Reason#SESSION_ENDED}, guarded or not. Reads are sent under the next session, and so is a
 * command that was submitted while there was none.
 *
 * <p>An operation's id is never used twice. When the engine gives up on a request, its operations
 * get {@link Reply.Unknown}. Later requests tell the replicas, which then refuse late copies of
 * them.
 */
public final class BatchingStoreClient implements StoreClient {
  /** The most commands in one request. */
  public static final int MAX_BATCH = 64;

  /** About the most bytes in one request, unless a single command is longer. */
  public static final int MAX_BATCH_BYTES = 1 << 20;

  /** How long a command waits for others to share its request, at most. */
  public static final long LINGER_MICROS = 500;

  private static final Logger log = LoggerFactory.getLogger(BatchingStoreClient.class);
  private static final FailureLog failures = FailureLog.of(BatchingStoreClient.class);
  private static final long CLOSE_MILLIS = 1_000;

  private final OrderingClient engine;
  private final ScheduledExecutorService loop;
  private final ClientOptions options;
  private final LongSupplier nanoClock;
  private final WaitingOperations waiting;
  private final SessionKeeper session;
  private final AtomicBoolean woken = new AtomicBoolean();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CompletableFuture<Boolean> closed = new CompletableFuture<>();
  private final ClientMeasures measures;
  private volatile @Nullable Thread loopThread;

  // Owned by the loop.
  private final RequestWindow window = new RequestWindow();
  private final TableDeclarations declarations;
  private final ByteWriter out = new ByteWriter(4096);
  private final int requestLimit;
  private boolean pumping;
  private boolean turnedAway;
  private boolean lingering;
  private boolean closeSent;

  private BatchingStoreClient(
      OrderingClient engine, ClientOptions options, LongSupplier nanoClock, LongSupplier nonces) {
    this.engine = engine;
    this.loop = engine.loop();
    this.options = options;
    this.nanoClock = nanoClock;
    this.waiting = new WaitingOperations(options.queueCapacity(), options.queueBytes());
    this.measures = new ClientMeasures(nanoClock, waiting, engine);
    this.session =
        new SessionKeeper(
            options, nanoClock, nonces, window::acknowledgedBelow, this::hand, this::opened);
    this.declarations = new TableDeclarations(options);
    int slots = engine.window();
    // The other slots are for keeping the session alive.
    this.requestLimit = Math.max(1, slots - (slots >= 8 ? 2 : slots >= 2 ? 1 : 0));
  }

  /**
   * A client that begins at once to open a session. It closes {@code engine} when it is closed.
   *
   * @param nanoClock such as {@link System#nanoTime}; any thread
   * @param nonces such as {@link java.security.SecureRandom#nextLong}; on the loop
   */
  public static BatchingStoreClient open(
      OrderingClient engine, ClientOptions options, LongSupplier nanoClock, LongSupplier nonces) {
    BatchingStoreClient client = new BatchingStoreClient(engine, options, nanoClock, nonces);
    client.loop.execute(client::start);
    return client;
  }

  /** The thread that completes replies, and calls the listeners of feeds and sessions. */
  public ScheduledExecutorService loop() {
    return loop;
  }

  /** Hints of the replicas that this client is connected to, on its loop. Any thread. */
  public ChangeHints hints() {
    return engine.hints();
  }

  @Override
  public CompletableFuture<Reply> submit(Command command) {
    String violation = Limits.violation(command);
    if (violation != null) {
      return CompletableFuture.completedFuture(new Reply.Rejected(Reason.OUT_OF_BOUNDS, violation));
    }
    PendingOperation operation =
        new PendingOperation(command, nanoClock.getAsLong(), session.sessionId(), measures);
    if (closing.get()) {
      operation.reject(Reason.NOT_SENT, "the client is closed");
    } else if (!waiting.offer(operation)) {
      operation.reject(Reason.NOT_SENT, waiting.describe());
    } else {
      wake();
      if (closing.get()) {
        rejectOffered("the client is closed");
      }
    }
    return operation;
  }

  @Override
  public SessionState session() {
    return session.state();
  }

  @Override
  public void onSessionChange(SessionListener listener) {
    session.addListener(listener);
  }

  /** How its operations ended, how long they took, and what waits. Any thread. */
  public ClientMeasures measures() {
    return measures;
  }

  private void wake() {
    if (woken.compareAndSet(false, true)) {
      try {
        loop.execute(this::drain);
      } catch (RejectedExecutionException engineClosed) {
        woken.set(false);
        rejectOffered("the engine is closed");
      }
    }
  }

  /** Rejects what was submitted and what the loop has not fetched yet. Any thread. */
  private void rejectOffered(String message) {
    Outcomes.notSent(waiting.takeOffered(), message);
  }

  private void start() {
    loopThread = Thread.currentThread();
    tick();
  }

  private void tick() {
    if (closing.get()) {
      return;
    }
    try {
      session.tick();
      dropOverdue();
      declare();
      drain();
    } finally {
      // After a failure, too: without ticks the session would end.
      if (!later("a tick", this::tick, session.tickNanos(), TimeUnit.NANOSECONDS)) {
        log.warn("the engine of {} was closed before its client", options.owner());
      }
    }
  }

  /** Runs a step later on the loop; false where the engine is closed. */
  private boolean later(String name, Runnable step, long delay, TimeUnit unit) {
    try {
      // Not used: the step logs its own failure, and nothing cancels it.
      ScheduledFuture<?> unused =
          loop.schedule(failures.logging(options.owner(), name, step), delay, unit);
      return true;
    } catch (RejectedExecutionException engineClosed) {
      return false;
    }
  }

  private void dropOverdue() {
    long deadlineMillis = options.queueDeadlineMillis();
    List<PendingOperation> overdue = waiting.takeOverdue(nanoClock.getAsLong(), deadlineMillis);
    if (overdue.isEmpty()) {
      return;
    }
    String known = session.refusal().isEmpty() ? engine.obstacle() : session.refusal();
    Outcomes.notSent(
        overdue,
        "not sent within " + deadlineMillis + " ms" + (known.isEmpty() ? "" : ": " + known));
  }

  private void drain() {
    woken.set(false);
    waiting.drain();
    if (closing.get()) {
      Outcomes.notSent(waiting.takeAll(), "the client is closed");
    }
    pump();
  }

  private void opened() {
    declare();
    pump();
  }

  /** Declares the tables where this session has not done so yet. */
  private void declare() {
    if (!closing.get() && window.admits(Request.MAX_OPERATIONS)) {
      declarations.declare(session.sessionId(), nanoClock.getAsLong(), this::send, this::pump);
    }
  }

  /** Sends batches that are large enough, while the window admits them. */
  private void pump() {
    if (pumping || closing.get()) {
      return;
    }
    Reply refusal = declarations.refusal(session.sessionId());
    if (refusal != null) {
      Outcomes.answer(waiting.takeAll(), refusal);
    }
    pumping = true;
    turnedAway = false;
    while (maySend()) {
      PendingOperation[] batch =
          turnedAway ? new PendingOperation[0] : waiting.takeWorthwhile(window.outstanding());
      if (batch.length == 0) {
        linger();
        break;
      }
      sendBatch(batch);
    }
    pumping = false;
  }

  private boolean maySend() {
    return !waiting.isEmpty()
        && declarations.areDone(session.sessionId())
        && window.outstanding() < requestLimit
        && window.admitsRequest()
        && window.admits(MAX_BATCH);
  }

  private void linger() {
    if (!lingering) {
      lingering = true;
      if (!later("sending", this::lingered, LINGER_MICROS, TimeUnit.MICROSECONDS)) {
        Outcomes.notSent(waiting.takeAll(), "the engine is closed");
      }
    }
  }

  private void lingered() {
    lingering = false;
    waiting.drain();
    pumping = true;
    for (int lane = 0; lane < 2 && !closing.get() && maySend(); lane++) {
      sendBatch(waiting.takeAny());
    }
    pumping = false;
    pump();
  }

  private void sendBatch(PendingOperation[] taken) {
    PendingOperation[] operations = Outcomes.refuseStale(taken, session.sessionId());
    if (operations.length > 0) {
      send(operations);
    }
  }

  private void send(PendingOperation[] operations) {
    int count = operations.length;
    long nowNanos = nanoClock.getAsLong();
    Sent sent = window.send(session.sessionId(), nowNanos, operations);
    if (!sent.reads()) {
      session.sent(nowNanos);
    }
    out.clear();
    RequestEncoder.header(out, sent.sessionId(), window.acknowledgedBelow(), count);
    for (int i = 0; i < count; i++) {
      RequestEncoder.operation(out, sent.firstId() + i, operations[i].command());
    }
    failures.handle(
        options.owner(),
        "handling an answer",
        hand(out.toArray()),
        (reply, failure) -> answered(sent, reply, failure));
  }

  private CompletableFuture<byte[]> hand(byte[] request) {
    try {
      return engine.submit(request);
    } catch (RejectedExecutionException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  private void answered(Sent sent, byte @Nullable [] bytes, @Nullable Throwable failure) {
    if (!window.finish(sent)) {
      return;
    }
    // Commands that continuations of the replies submit are drained below, without a task of their
    // own.
    woken.set(true);
    if (bytes != null) {
      List<PendingOperation> unanswered = Outcomes.deliver(sent, bytes, session);
      waiting.putBack(sent, unanswered);
    } else {
      turnedAway |= Outcomes.fail(sent, failure);
    }
    drain();
    if (closing.get()) {
      closeSession();
    }
  }

  /**
   * {@inheritDoc} Waits within that second for the replies in flight, and rejects waiting commands
   * at once. Called on the loop itself, it returns at once and closes afterwards.
   */
  @Override
  public void close() {
    if (closing.compareAndSet(false, true)) {
      try {
        loop.execute(this::beginClose);
      } catch (RejectedExecutionException engineClosed) {
        rejectOffered("the engine is closed");
        closed.complete(true);
      }
    }
    if (Thread.currentThread() == loopThread) {
      failures.watch(options.owner(), "closing the engine", closed.thenRun(engine::close));
      return;
    }
    try {
      closed.get(3 * CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException stuck) {
      log.warn("the loop of {} does not answer; closing its connections", options.owner());
    }
    engine.close();
  }

  private void beginClose() {
    session.stop();
    Outcomes.notSent(waiting.takeAll(), "the client is closed");
    if (later("closing", this::finishClose, CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
      closeSession();
    } else {
      finishClose();
    }
  }

  private void closeSession() {
    if (closeSent || window.outstanding() > 0) {
      return;
    }
    closeSent = true;
    long sessionId = session.sessionId();
    if (sessionId == 0) {
      finishClose();
      return;
    }
    Request.Operation operation =
        new Request.Operation(window.acknowledgedBelow(), new Command.CloseSession(sessionId));
    Request request = new Request(sessionId, operation.operationId(), List.of(operation));
    // Where this request fails, the session ends by its time to live.
    byte[] bytes = RequestEncoder.encode(request);
    failures.handle(options.owner(), "closing", hand(bytes), (reply, failure) -> finishClose());
  }

  private void finishClose() {
    closeSent = true;
    session.end();
    for (Sent sent : window.unfinished()) {
      window.finish(sent);
      Outcomes.unknown(sent, "the client was closed before the answer came");
    }
    closed.complete(true);
  }
}
