package io.lockstep.core.testing;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.typed.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;

/** A store whose replies the test gives, whenever it likes. */
public final class ScriptedStore implements StoreClient {

  /** A command that waits for its reply. */
  public record Asked(Command command, CompletableFuture<Reply> reply) {}

  public final List<Asked> asked = new ArrayList<>();

  @Override
  public CompletableFuture<Reply> submit(Command command) {
    Asked question = new Asked(command, new CompletableFuture<>());
    asked.add(question);
    return question.reply();
  }

  /** The same store by type, for operations without a deadline: nothing runs on its loop. */
  public Store typed() {
    return Store.sharing(this, Executors.newSingleThreadScheduledExecutor());
  }

  /** Answers the oldest question. */
  public void answer(Reply reply) {
    asked.remove(0).reply().complete(reply);
  }

  @Override
  public SessionState session() {
    return new SessionState(1, Long.MAX_VALUE);
  }

  @Override
  public void onSessionChange(SessionListener listener) {}

  @Override
  public void close() {}
}
