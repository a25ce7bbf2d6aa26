package io.lockstep.store.typed;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A client that answers what the test says, or not at all. */
final class ScriptedStoreClient implements StoreClient {
  final List<Command> sent = new ArrayList<>();
  final CompletableFuture<Reply> reply = new CompletableFuture<>();

  @Override
  public CompletableFuture<Reply> submit(Command command) {
    sent.add(command);
    return reply;
  }

  @Override
  public SessionState session() {
    return new SessionState(1, Long.MAX_VALUE / 2);
  }

  @Override
  public void onSessionChange(SessionListener listener) {}

  @Override
  public void close() {}
}
