package io.lockstep.store.client.cache;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A client whose replies come when the test says so. */
final class ScriptedClient implements StoreClient {
  /** A command that was submitted. */
  record Sent(Command command, CompletableFuture<Reply> reply) {}

  private final List<Sent> sent = new ArrayList<>();
  private final List<SessionListener> listeners = new ArrayList<>();
  private SessionState session = new SessionState(1, Long.MAX_VALUE / 2);

  @Override
  public CompletableFuture<Reply> submit(Command command) {
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    sent.add(new Sent(command, reply));
    return reply;
  }

  /** What was submitted, in order. */
  List<Command> commands() {
    return sent.stream().map(Sent::command).toList();
  }

  /** Answers the command at a position in the order of submission. */
  void answer(int position, Reply reply) {
    sent.get(position).reply().complete(reply);
  }

  /** The session is surely alive until then. */
  void setValidUntilNanos(long nanos) {
    session = new SessionState(session.sessionId(), nanos);
  }

  /** The session ends and another begins. */
  void nextSession() {
    long old = session.sessionId();
    session = new SessionState(old + 1, Long.MAX_VALUE / 2);
    listeners.forEach(listener -> listener.ended(old));
    listeners.forEach(listener -> listener.opened(old + 1));
  }

  @Override
  public SessionState session() {
    return session;
  }

  @Override
  public void onSessionChange(SessionListener listener) {
    listeners.add(listener);
  }

  @Override
  public void close() {}
}
