package io.lockstep.bench.replay;

import io.lockstep.bench.runs.BenchException;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.TableSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Messages of recorded number, types and sizes. A flow draws one of {@value #KEYS} keys for all its
 * operations: two characters, the first and second digit to the base 32, {@code 00} to {@code vv}.
 * Each operation of an event has a table of its own, {@code m0}, {@code m1} and so on, or {@code
 * n0} and so on where nothing is stored, so that it finds nothing. The replicas need {@link
 * WriteAndReturn}.
 */
final class MessageReplay implements ReplayPlan {
  /** A power of two. */
  static final int KEYS = 1024;

  private final StoreClient client;
  private final List<List<SizedOperation>> operations = new ArrayList<>();
  private final Set<String> tables = new LinkedHashSet<>();

  /**
   * Messages.
   *
   * @param events each a list of messages; those of a key are the event of its number. Not empty
   */
  MessageReplay(StoreClient client, List<List<Message>> events) {
    this.client = client;
    for (int key = 0; key < KEYS; key++) {
      List<Message> event = events.get(key % events.size());
      List<SizedOperation> asked = new ArrayList<>();
      for (int step = 0; step < event.size(); step++) {
        Message message = event.get(step);
        boolean findsNothing = !message.isWrite() && message.replyBytes() == 0;
        String table = (findsNothing ? "n" : "m") + step;
        tables.add(table);
        asked.add(SizedOperation.of(message, table, key));
      }
      operations.add(List.copyOf(asked));
    }
  }

  @Override
  public void prepare() throws BenchException, InterruptedException {
    Preparation.run(
        List.copyOf(tables), table -> applied(new Command.CreateTable(table, TableSpec.values())));
    List<Command> puts = new ArrayList<>();
    for (List<SizedOperation> asked : operations) {
      for (SizedOperation operation : asked) {
        Command stored = operation.stored();
        if (stored != null) {
          puts.add(stored);
        }
      }
    }
    Preparation.run(puts, this::applied);
  }

  private CompletableFuture<Boolean> applied(Command command) {
    return client
        .submit(command)
        .thenApply(
            reply -> {
              if (reply instanceof Reply.Applied) {
                return true;
              }
              throw new IllegalStateException("the store answered " + reply);
            });
  }

  @Override
  public @Nullable ReplayStep first(long number) {
    return step(operations.get(drawn(number)), 0);
  }

  /** One of the keys, the same for the same number. */
  static int drawn(long number) {
    long mixed = (number + 1) * 0x9e37_79b9_7f4a_7c15L;
    mixed = (mixed ^ mixed >>> 30) * 0xbf58_476d_1ce4_e5b9L;
    return (int) (mixed >>> 40) & KEYS - 1;
  }

  private @Nullable ReplayStep step(List<SizedOperation> asked, int step) {
    if (step == asked.size()) {
      return null;
    }
    SizedOperation operation = asked.get(step);
    return () ->
        client
            .submit(operation.command())
            .thenApply(
                reply -> {
                  if (!operation.expected().isInstance(reply)) {
                    throw new IllegalStateException(refusal(operation.command(), reply));
                  }
                  return step(asked, step + 1);
                });
  }

  private static String refusal(Command command, Reply reply) {
    String hint =
        command instanceof Command.Call
            ? "; replicas of ./lockstep bench replica have the component that it needs"
            : "";
    return "a "
        + command.getClass().getSimpleName()
        + " was answered with "
        + (reply instanceof Reply.Found ? "a value" : reply.toString())
        + hint;
  }
}
