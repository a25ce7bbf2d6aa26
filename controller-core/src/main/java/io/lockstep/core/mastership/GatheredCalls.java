package io.lockstep.core.mastership;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Calls of a micro component that share operations: a call goes at once while fewer than {@link
 * #MAX_ON_THEIR_WAY} operations are unanswered; what comes meanwhile waits and goes together. Each
 * call is refused or takes effect alone, and has the reply that it would have had alone.
 * Thread-safe; replies come on the store client's thread.
 */
public final class GatheredCalls {
  /** Operations without a reply. */
  public static final int MAX_ON_THEIR_WAY = 4;

  /** Calls that wait, at most; beyond them a call is rejected at once. */
  static final int MAX_WAITING = 16_384;

  /** Bytes that wait, at most. */
  static final int MAX_WAITING_BYTES = 8 << 20;

  /**
   * How calls become an operation.
   *
   * <p>An operation has at most so much weight and so many bytes, or a single call.
   */
  public interface Form {
    /** The weight of all calls of an operation at most. */
    int maxWeight();

    /** The bytes of all calls of an operation at most. */
    int maxBytes();

    /** The operation that makes these calls, at least one. */
    Command command(List<Bytes> calls);

    /** The reply to each call, from what the operation returned. */
    List<Reply> replies(int calls, Reply.Returned returned);
  }

  private final StoreClient store;
  private final Form form;

  // Guarded by this.
  private final ArrayDeque<Part> waiting = new ArrayDeque<>();
  private int waitingBytes;
  private int onTheirWay;

  /** One call, and who waits for its reply. */
  private record Part(Bytes argument, int weight, CompletableFuture<Reply> reply) {}

  /** Nothing to call yet. */
  public GatheredCalls(StoreClient store, Form form) {
    this.store = store;
    this.form = form;
  }

  /**
   * Makes a call.
   *
   * @param weight how much work it is, in the units of {@link Form#maxWeight}
   */
  public CompletableFuture<Reply> call(Bytes argument, int weight) {
    Part part = new Part(argument, weight, new CompletableFuture<>());
    synchronized (this) {
      if (waiting.size() >= MAX_WAITING || waitingBytes + argument.length() > MAX_WAITING_BYTES) {
        return CompletableFuture.completedFuture(
            new Reply.Rejected(Reply.Reason.NOT_SENT, waiting.size() + " writes wait"));
      }
      waiting.add(part);
      waitingBytes += argument.length();
    }
    send();
    return part.reply();
  }

  private void send() {
    for (List<Part> batch = next(); batch != null; batch = next()) {
      submit(batch);
    }
  }

  /** The next calls to send, or null where nothing waits or has to wait. */
  private synchronized @Nullable List<Part> next() {
    if (waiting.isEmpty() || onTheirWay == MAX_ON_THEIR_WAY) {
      return null;
    }
    List<Part> batch = new ArrayList<>();
    int bytes = 0;
    int weight = 0;
    for (Part part = waiting.peek();
        part != null
            && (batch.isEmpty()
                || (weight + part.weight() <= form.maxWeight()
                    && bytes + part.argument().length() <= form.maxBytes()));
        part = waiting.peek()) {
      waiting.remove();
      batch.add(part);
      bytes += part.argument().length();
      weight += part.weight();
    }
    waitingBytes -= bytes;
    onTheirWay++;
    return batch;
  }

  private void submit(List<Part> batch) {
    CompletableFuture<Reply> unused =
        store
            .submit(form.command(batch.stream().map(Part::argument).toList()))
            .whenComplete(
                (reply, failure) -> {
                  synchronized (this) {
                    onTheirWay--;
                  }
                  if (failure != null) {
                    batch.forEach(part -> part.reply().completeExceptionally(failure));
                  } else {
                    answer(batch, reply);
                  }
                  send();
                });
  }

  private void answer(List<Part> batch, Reply reply) {
    if (reply instanceof Reply.Returned returned) {
      List<Reply> replies = form.replies(batch.size(), returned);
      for (int i = 0; i < batch.size(); i++) {
        batch.get(i).reply().complete(replies.get(i));
      }
    } else if (batch.size() > 1
        && reply instanceof Reply.Rejected rejected
        && rejected.reason() != Reply.Reason.NOT_SENT) {
      // The store did not take one of them, such as one without room: the others shall not fail.
      batch.forEach(this::submitAlone);
    } else {
      batch.forEach(part -> part.reply().complete(reply));
    }
  }

  private void submitAlone(Part part) {
    CompletableFuture<Reply> unused =
        store
            .submit(form.command(List.of(part.argument())))
            .whenComplete(
                (reply, failure) -> {
                  if (failure != null) {
                    part.reply().completeExceptionally(failure);
                  } else if (reply instanceof Reply.Returned returned) {
                    part.reply().complete(form.replies(1, returned).get(0));
                  } else {
                    part.reply().complete(reply);
                  }
                });
  }
}
