package io.lockstep.bench.variant;

import io.lockstep.bench.variant.EventOperations.Operation;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.codec.ResponseEncoder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Records which operations of the store an event of an application leads to. It follows the chain
 * of questions, and learns at the client of the store which of them got there, as an answer may
 * come from the node's cache. Thread-safe; an event belongs to one thread at a time.
 */
public final class OperationTrace {
  /** Commands that were sent and whose answer has not come, at most; further ones are not noted. */
  private static final int MOST_SENT = 65_536;

  private final Consumer<EventOperations> events;
  private final Set<Command> sent =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

  /**
   * A trace.
   *
   * @param events gets each event when its last operation was answered; any thread
   */
  public OperationTrace(Consumer<EventOperations> events) {
    this.events = events;
  }

  /** The client, seen by this trace: what it submits reached the store. */
  public StoreClient watching(StoreClient client) {
    return new WatchedClient(client);
  }

  /** One event under way. */
  final class Event {
    private final List<Operation> operations = new ArrayList<>();
    private String workload;
    private boolean complete;

    private Event(String workload) {
      this.workload = workload;
    }

    /** The event turned out to be this one. */
    void is(String actual) {
      workload = actual;
    }

    /** What the application asks from here on is not part of it. */
    void complete() {
      complete = true;
    }

    /** The same decision, whose operations are recorded; the event ends with the last answer. */
    Decision following(Decision decision) {
      if (decision instanceof Decision.Ask ask) {
        return new Decision.Ask(
            ask.command(),
            ask.freshness(),
            reply -> {
              if (!complete) {
                operations.add(operation(ask, reply));
              }
              return following(ask.then().apply(reply));
            });
      }
      events.accept(new EventOperations(workload, operations, conflicts(decision)));
      return decision;
    }
  }

  /** An event begins. */
  Event begin(String workload) {
    return new Event(workload);
  }

  private static int conflicts(Decision decision) {
    int conflicts = 0;
    if (decision instanceof Decision.Act act) {
      for (Instruction each : act.instructions()) {
        conflicts += each.equals(Attempts.RETRIED) ? 1 : 0;
      }
    }
    return conflicts;
  }

  private Operation operation(Decision.Ask ask, Reply reply) {
    Command command = ask.command();
    // A cache shares the request of another question: that one brought the answer.
    boolean reached = sent.remove(command) || ask.freshness().isExact();
    return new Operation(
        command.getClass().getSimpleName(),
        target(command),
        !command.isRead(),
        !reached,
        bytes(command),
        bytes(reply));
  }

  /** The bytes of an operation within its request. */
  static int bytes(Command command) {
    ByteWriter out = new ByteWriter(256);
    RequestEncoder.operation(out, 1, command);
    return out.size();
  }

  /** The bytes of a reply within its response. */
  static int bytes(Reply reply) {
    ByteWriter out = new ByteWriter(256);
    ResponseEncoder.reply(out, reply);
    return out.size();
  }

  /** The table that a command names, or its component. */
  private static String target(Command command) {
    String table = command.table();
    if (table != null) {
      return table;
    } else if (command instanceof Command.Call call) {
      return call.component();
    } else if (command instanceof Command.Query query) {
      return query.component();
    }
    return "";
  }

  private final class WatchedClient implements StoreClient {
    private final StoreClient client;

    WatchedClient(StoreClient client) {
      this.client = client;
    }

    @Override
    public CompletableFuture<Reply> submit(Command command) {
      if (VariantNode.mayBeCached(target(command)) && sent.size() < MOST_SENT) {
        sent.add(command);
      }
      return client.submit(command);
    }

    @Override
    public SessionState session() {
      return client.session();
    }

    @Override
    public void onSessionChange(SessionListener listener) {
      client.onSessionChange(listener);
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
