package io.lockstep.core.noun;

import io.lockstep.core.app.TableRange;
import io.lockstep.core.app.TableSnapshot;
import io.lockstep.core.state.ReplyWords;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks the store for an application, on the thread that waits for the answer. Thread-safe. */
final class StoreAnswers {
  /** The store's part of the time that a call may take. */
  static final int STORE_MILLIS = 5_000;

  private static final String LOOK = "see ./lockstep status";

  private final StoreClient store;

  StoreAnswers(StoreClient store) {
    this.store = store;
  }

  /**
   * Reads ranges, one linearizable read for each.
   *
   * @throws IllegalStateException where the application breaks its bounds
   * @throws NoAnswer where the store does not answer, or refuses
   */
  List<TableSnapshot> read(AskedApplication application, List<TableRange> ranges, int mostRanges)
      throws NoAnswer, InterruptedException {
    requireAllowed(application, ranges, mostRanges);
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (TableRange range : ranges) {
      replies.add(
          store.submit(
              new Command.Scan(
                  range.table(), range.from(), range.to(), TableSnapshot.MAX_ENTRIES)));
    }
    try {
      await(CompletableFuture.allOf(replies.toArray(CompletableFuture<?>[]::new)));
    } catch (TimeoutException e) {
      throw new NoAnswer("the store did not answer within " + STORE_MILLIS + " ms", LOOK);
    }
    List<TableSnapshot> tables = new ArrayList<>();
    for (int i = 0; i < replies.size(); i++) {
      Reply reply = replies.get(i).join();
      if (!(reply instanceof Reply.Entries entries)) {
        String table = ranges.get(i).table();
        throw new NoAnswer("table " + table + " was not read: " + words(reply), LOOK);
      }
      tables.add(new TableSnapshot(ranges.get(i), entries.entries(), !entries.more()));
    }
    return tables;
  }

  /** Submits a command; a store that is silent for too long is an outcome that is not known. */
  Reply submit(Command command) throws InterruptedException {
    CompletableFuture<Reply> reply = store.submit(command);
    try {
      await(reply);
    } catch (TimeoutException e) {
      return new Reply.Unknown("the store did not answer within " + STORE_MILLIS + " ms");
    }
    return reply.join();
  }

  private static void await(CompletableFuture<?> replies)
      throws TimeoutException, InterruptedException {
    try {
      replies.get(STORE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a reply is a value, never a failure", e);
    }
  }

  private static void requireAllowed(
      AskedApplication application, List<TableRange> ranges, int most) {
    if (ranges.size() > most) {
      throw new IllegalStateException("reads more than " + most + " ranges");
    }
    for (TableRange range : ranges) {
      if (!application.tables().contains(range.table())) {
        throw new IllegalStateException("reads the table '" + range.table() + "', not its own");
      }
    }
  }

  /** A read has no effect, so what the store says of one is all that matters. */
  private static String words(Reply reply) {
    return reply instanceof Reply.Unknown unknown ? unknown.message() : ReplyWords.of(reply);
  }
}
