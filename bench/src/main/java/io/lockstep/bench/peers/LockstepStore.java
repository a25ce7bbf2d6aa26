package io.lockstep.bench.peers;

import io.lockstep.bench.compare.Answer;
import io.lockstep.bench.compare.Operation;
import io.lockstep.bench.compare.PeerStore;
import io.lockstep.bench.compare.Procedure;
import io.lockstep.bench.compare.Procedures;
import io.lockstep.bench.compare.TableLayout;
import io.lockstep.bench.store.FlowCommands;
import io.lockstep.bench.variant.ReplaceByValue;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import io.lockstep.store.StoreClient;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.cache.CacheOptions;
import io.lockstep.store.client.cache.CachingStore;
import io.lockstep.store.codec.RowCodec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Operations of the workloads as our store's commands. The learning switch's micro component is the
 * application's own. What the cached variants ask goes through a cache. Thread-safe.
 */
final class LockstepStore implements PeerStore {
  private static final String LEARNED = "lsm.host";
  private static final int LEARNING_HOSTS = 1024;
  private static final int KNOWN = 1;

  private static final CacheOptions CACHE =
      new CacheOptions(
          16_384,
          64L << 20,
          Map.of(
              Procedures.IPS, TableSpec.reference(Procedures.VIPS),
              Procedures.VIPS, TableSpec.values(),
              Procedures.MACS, TableSpec.reference(Procedures.DEVICES),
              Procedures.DEVICES, TableSpec.values()));

  private final StoreClient client;
  private final CachingStore cache;
  private final List<Command> learning = FlowCommands.of("ls-ucast-micro");

  /**
   * Our store's load.
   *
   * @param nanoClock the client's
   */
  LockstepStore(StoreClient client, LongSupplier nanoClock) {
    this.client = client;
    cache = CachingStore.over(client, nanoClock, CACHE);
    cache.own(Procedures.CACHED_HOSTS, () -> 1);
  }

  @Override
  public CompletableFuture<Void> declare(List<TableLayout> tables) {
    CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
    for (TableLayout table : tables) {
      Command create = new Command.CreateTable(table.name(), spec(table));
      all =
          all.thenCompose(
              done -> client.submit(create).thenAccept(reply -> applied(create, reply)));
    }
    return all;
  }

  private static TableSpec spec(TableLayout table) {
    String target = table.target();
    return switch (table.kind()) {
      case VALUES -> TableSpec.values();
      case COLUMNS -> TableSpec.columns();
      case REFERENCE -> TableSpec.reference(String.valueOf(target));
    };
  }

  private static Answer applied(Command command, Reply reply) {
    if (reply instanceof Reply.Applied) {
      return Answer.written();
    }
    throw new IllegalStateException(command.getClass().getSimpleName() + ": " + reply);
  }

  @Override
  public CompletableFuture<Answer> submit(Operation operation) {
    Command command = command(operation);
    if (operation instanceof Operation.Recent recent) {
      return cache
          .read(command, recent.stalenessMillis())
          .thenApply(seen -> answer(operation, command, seen.reply()));
    }
    return reply(operation, command).thenApply(reply -> answer(operation, command, reply));
  }

  private CompletableFuture<Reply> reply(Operation operation, Command command) {
    if (operation instanceof Operation.CallAt call) {
      return cache.call(CacheComponents.command(call), CacheComponents.written(call));
    } else if (operation instanceof Operation.Put put
        && put.table().equals(Procedures.CACHED_HOSTS)) {
      return cache.submit(command);
    }
    return client.submit(command);
  }

  @Override
  public void close() {
    cache.close();
  }

  /** The command that carries an operation out. */
  Command command(Operation operation) {
    if (operation instanceof Operation.Get o) {
      return new Command.Get(o.table(), Bytes.utf8(o.key()));
    } else if (operation instanceof Operation.Put o) {
      return o.table().equals(LEARNED)
          ? learning.get(host(o.key()))
          : new Command.Put(o.table(), Bytes.utf8(o.key()), Bytes.wrap(o.value()));
    } else if (operation instanceof Operation.ReplaceValue o) {
      return BenchComponents.command(o);
    } else if (operation instanceof Operation.ReplaceVersion o) {
      return new Command.Replace(
          o.table(), Bytes.utf8(o.key()), o.version(), Bytes.wrap(o.value()));
    } else if (operation instanceof Operation.Increment o) {
      return new Command.Increment(o.table(), Bytes.utf8(o.key()), 1);
    } else if (operation instanceof Operation.Call o) {
      return o.procedure() == Procedure.LEARN ? learn(o) : BenchComponents.command(o);
    } else if (operation instanceof Operation.CallAt o) {
      return CacheComponents.command(o);
    } else if (operation instanceof Operation.Recent o) {
      return command(o.read());
    }
    return columnsCommand(operation);
  }

  private static Command columnsCommand(Operation operation) {
    if (operation instanceof Operation.Through o) {
      return new Command.GetThrough(o.table(), Bytes.utf8(o.key()), o.columns());
    } else if (operation instanceof Operation.GetColumns o) {
      return new Command.GetColumns(o.table(), Bytes.utf8(o.key()), o.columns());
    } else if (operation instanceof Operation.PutColumns o) {
      return new Command.PutColumns(o.table(), Bytes.utf8(o.key()), row(o.columns()));
    } else if (operation instanceof Operation.ReplaceColumns o) {
      return new Command.ReplaceColumns(
          o.table(), Bytes.utf8(o.key()), o.version(), row(o.columns()));
    }
    throw new IllegalArgumentException("no command for " + operation);
  }

  /** The application's command for this host, at one of two ports in turn. */
  private Command learn(Operation.Call call) {
    int port = call.value()[call.value().length - 1];
    return learning.get(port * LEARNING_HOSTS + host(call.key()));
  }

  private static int host(String key) {
    return Integer.parseInt(key.substring(1)) % LEARNING_HOSTS;
  }

  private static Row row(Map<String, byte[]> columns) {
    Map<String, Bytes> row = new HashMap<>();
    columns.forEach((name, value) -> row.put(name, Bytes.wrap(value)));
    return Row.of(row);
  }

  /** What a reply means; fails where it is none of those that the operation has. */
  static Answer answer(Operation operation, Command command, Reply reply) {
    if (reply instanceof Reply.Found found) {
      return Answer.of(found.value().shared(), found.version());
    } else if (reply instanceof Reply.Absent && !(operation instanceof Operation.Call)) {
      return Answer.nothing();
    } else if (reply instanceof Reply.Conflict && operation.isReplace()) {
      return Answer.nothing();
    } else if (reply instanceof Reply.Counter counter) {
      return Answer.counter(counter.value());
    } else if (reply instanceof Reply.Returned returned) {
      return returned(operation, returned.result());
    } else if (reply instanceof Reply.Columns columns) {
      return Answer.of(columns(columns.columns()), columns.version());
    } else if (reply instanceof Reply.Resolved resolved) {
      return resolved(operation, resolved.entries());
    }
    return applied(command, reply);
  }

  private static Answer returned(Operation operation, Bytes result) {
    if (operation instanceof Operation.CallAt) {
      return Answer.of(result.length() > 0);
    }
    if (operation instanceof Operation.ReplaceValue) {
      return Answer.of(ReplaceByValue.isReplaced(result));
    } else if (operation instanceof Operation.Call call) {
      return call.procedure() == Procedure.LEARN
          ? Answer.of(result.length() == 5 && (result.at(0) & KNOWN) != 0)
          : BenchComponents.answer(call.procedure(), result);
    }
    // The preparation of the learning switch: nothing is known yet.
    return Answer.written();
  }

  private static Answer resolved(Operation operation, List<Entry> entries) {
    if (entries.isEmpty()) {
      return Answer.nothing();
    }
    Entry entry = entries.get(0);
    return operation instanceof Operation.Through through && !through.columns().isEmpty()
        ? Answer.of(columns(RowCodec.decode(entry.value())), entry.version())
        : Answer.of(entry.value().shared(), entry.version());
  }

  private static Map<String, byte[]> columns(Row row) {
    Map<String, byte[]> columns = new HashMap<>();
    row.columns().forEach((name, value) -> columns.put(name, value.shared()));
    return columns;
  }
}
