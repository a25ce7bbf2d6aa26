package io.lockstep.store.client;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;
import io.lockstep.store.logging.BoundedLog;
import io.lockstep.store.logging.FailureLog;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Declares the client's tables in each session. It repeats a declaration without an answer; a
 * refusal of the store stays in force until the next session. Owned by the loop.
 */
final class TableDeclarations {
  private static final BoundedLog log = BoundedLog.of(TableDeclarations.class);
  private static final FailureLog failures = FailureLog.of(TableDeclarations.class);

  private final String owner;
  private final List<Command.CreateTable> commands;
  private long underWay;
  private long done;
  private long refused;
  private Reply.@Nullable Rejected refusal;

  TableDeclarations(ClientOptions options) {
    owner = options.owner();
    commands = options.declarations();
  }

  /** Whether commands of the session may be sent. */
  boolean areDone(long sessionId) {
    return sessionId != 0 && (done == sessionId || commands.isEmpty());
  }

  /**
   * The store's refusal of a table, with which commands of the session are rejected; null if there
   * is none.
   */
  @Nullable Reply refusal(long sessionId) {
    return sessionId != 0 && refused == sessionId ? refusal : null;
  }

  /**
   * Declares the tables, unless the session has declared them or has a declaration in flight.
   *
   * @param send sends operations of this session as one request
   * @param finished called when the answer has come
   */
  void declare(
      long sessionId, long nowNanos, Consumer<PendingOperation[]> send, Runnable finished) {
    if (sessionId == 0 || areDone(sessionId) || underWay == sessionId || refused == sessionId) {
      return;
    }
    underWay = sessionId;
    PendingOperation[] operations =
        commands.stream()
            .map(command -> new PendingOperation(command, nowNanos, sessionId))
            .toArray(PendingOperation[]::new);
    failures.watch(
        owner,
        "declaring tables",
        CompletableFuture.allOf(operations)
            .thenRun(
                () -> {
                  finish(sessionId, operations);
                  finished.run();
                }));
    send.accept(operations);
  }

  private void finish(long sessionId, PendingOperation[] operations) {
    if (underWay != sessionId) {
      return;
    }
    underWay = 0;
    boolean all = true;
    for (int i = 0; i < operations.length; i++) {
      Reply reply = operations[i].join();
      all &= reply instanceof Reply.Applied;
      if (reply instanceof Reply.Rejected rejected && isFinal(rejected.reason())) {
        refuse(sessionId, commands.get(i).table(), rejected);
        return;
      }
    }
    if (all) {
      done = sessionId;
    }
  }

  private static boolean isFinal(Reason reason) {
    return reason != Reason.NOT_SENT && reason != Reason.SESSION_ENDED && reason != Reason.NO_ROOM;
  }

  private void refuse(long sessionId, String table, Reply.Rejected rejected) {
    log.error(owner, "the store refused table {} of {}: {}", table, owner, rejected.message());
    refused = sessionId;
    refusal =
        new Reply.Rejected(
            rejected.reason(),
            "the store refused table \"" + table + "\" of this client: " + rejected.message());
  }
}
