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
import org.onosproject.net.DeviceId;

/**
 * Writes what many switches report with few operations: a write goes at once while fewer than
 * {@link #MAX_ON_THEIR_WAY} operations are unanswered; what comes meanwhile waits and goes together
 * ({@link FencedWrites}). Each write is refused or takes effect alone, and has the reply that it
 * would have had alone. Thread-safe; replies come on the store client's thread.
 */
public final class GatheringWriter implements DomainWriter {
  /** Operations without a reply. */
  static final int MAX_ON_THEIR_WAY = 4;

  /** Writes that wait, at most; beyond them a write is rejected at once. */
  static final int MAX_WAITING = 16_384;

  /** Bytes that wait, at most. */
  static final int MAX_WAITING_BYTES = 8 << 20;

  private final StoreClient store;
  private final Fencing fencing;

  // Guarded by this.
  private final ArrayDeque<Part> waiting = new ArrayDeque<>();
  private int waitingBytes;
  private int onTheirWay;

  /** One write: the argument of {@link FencedWrite}, and who waits for its reply. */
  private record Part(Bytes argument, CompletableFuture<Reply> reply) {}

  /** A writer that has nothing to write. */
  public GatheringWriter(StoreClient store, Fencing fencing) {
    this.store = store;
    this.fencing = fencing;
  }

  @Override
  public CompletableFuture<Reply> write(DeviceId device, List<FencedWrite.Write> writes) {
    Fence fence = fencing.fence(device);
    if (fence == null) {
      return rejected(device + " is not mastered here");
    }
    Part part = new Part(FencedWrite.command(fence, writes).argument(), new CompletableFuture<>());
    synchronized (this) {
      if (waiting.size() >= MAX_WAITING
          || waitingBytes + part.argument().length() > MAX_WAITING_BYTES) {
        return rejected(waiting.size() + " writes wait");
      }
      waiting.add(part);
      waitingBytes += part.argument().length();
    }
    send();
    return part.reply();
  }

  private static CompletableFuture<Reply> rejected(String why) {
    return CompletableFuture.completedFuture(new Reply.Rejected(Reply.Reason.NOT_SENT, why));
  }

  private void send() {
    for (List<Part> batch = next(); batch != null; batch = next()) {
      submit(batch);
    }
  }

  /** The next writes to send, or null where nothing waits or has to wait. */
  private synchronized @Nullable List<Part> next() {
    if (waiting.isEmpty() || onTheirWay == MAX_ON_THEIR_WAY) {
      return null;
    }
    List<Part> batch = new ArrayList<>();
    int bytes = 0;
    for (Part part = waiting.peek();
        part != null
            && (batch.isEmpty()
                || (batch.size() < FencedWrites.MAX_PARTS
                    && bytes + part.argument().length() <= FencedWrites.MAX_BYTES));
        part = waiting.peek()) {
      waiting.remove();
      batch.add(part);
      bytes += part.argument().length();
    }
    waitingBytes -= bytes;
    onTheirWay++;
    return batch;
  }

  private void submit(List<Part> batch) {
    Command command =
        batch.size() == 1
            ? new Command.Call(FencedWrite.COMPONENT.name(), batch.get(0).argument())
            : FencedWrites.COMPONENT.command(batch.stream().map(Part::argument).toList());
    CompletableFuture<Reply> unused =
        store
            .submit(command)
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
    if (batch.size() == 1) {
      batch.get(0).reply().complete(reply);
    } else if (reply instanceof Reply.Returned returned) {
      FencedWrites.Outcomes outcomes = FencedWrites.COMPONENT.result().decode(returned.result());
      for (int i = 0; i < batch.size(); i++) {
        batch.get(i).reply().complete(outcomes.reply(i));
      }
    } else if (reply instanceof Reply.Rejected rejected
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
            .submit(new Command.Call(FencedWrite.COMPONENT.name(), part.argument()))
            .whenComplete(
                (reply, failure) -> {
                  if (failure != null) {
                    part.reply().completeExceptionally(failure);
                  } else {
                    part.reply().complete(reply);
                  }
                });
  }
}
