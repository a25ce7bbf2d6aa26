package io.lockstep.history.load;

import io.lockstep.bench.runs.Callbacks;
import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * A client that submits one operation at a time, and the next one when it has the answer or has
 * given up. The first failure of its own code ends it. Owned by the loop of its store client.
 */
public abstract class SequentialClient implements Progress {
  /** The pause after an operation that was not sent. */
  protected static final int WAIT_MILLIS = 5;

  private final String name;
  private final BatchingStoreClient client;
  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private volatile boolean stopping;
  private volatile long answeredNanos = -1;

  /**
   * A client that does nothing until {@link #start}.
   *
   * @param name of the client in the history
   */
  protected SequentialClient(String name, BatchingStoreClient client) {
    this.name = name;
    this.client = client;
  }

  /** Begins. Any thread; once. */
  public final void start() {
    client.loop().execute(Callbacks.guarded(this::next, this::fail));
  }

  /** Ends after the operation at hand. Any thread. */
  public final void stop() {
    stopping = true;
  }

  /** Ends with a failure. Any thread. */
  public final void fail(Throwable failure) {
    over.completeExceptionally(failure);
  }

  @Override
  public final CompletableFuture<Void> ended() {
    return over;
  }

  @Override
  public final long answeredNanos() {
    return answeredNanos;
  }

  @Override
  public final String name() {
    return name;
  }

  /** Whether the client has submitted all that it may. */
  protected abstract boolean spent();

  /** Either submits an operation, whose callback calls {@link #goOn}, or calls {@link #later}. */
  protected abstract void proceed();

  /** Submits an operation; its reply goes to the callback. */
  protected final void submit(Command command, Consumer<Reply> ended) {
    Callbacks.when(client.submit(command), ended, this::fail);
  }

  /** Notes when an answer came, on the run's clock. */
  protected final void answered(long nanos) {
    answeredNanos = nanos;
  }

  /** Goes on after an operation with this outcome. */
  protected final void goOn(Outcome outcome) {
    // Not at once: a client that refuses without delay must not make the stack grow.
    later(outcome == Outcome.ERROR ? WAIT_MILLIS : 0);
  }

  /** Goes on after a pause. */
  protected final void later(int millis) {
    try {
      Callbacks.after(client.loop(), millis, this::next, this::fail);
    } catch (RejectedExecutionException closed) {
      over.complete(null);
    }
  }

  private void next() {
    if (stopping || spent()) {
      over.complete(null);
    } else {
      proceed();
    }
  }
}
