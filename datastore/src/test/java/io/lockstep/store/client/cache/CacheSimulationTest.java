package io.lockstep.store.client.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Callbacks;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.Transaction;
import io.lockstep.store.client.SimulationSeeds;
import io.lockstep.store.core.StoreStateMachine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Several clients with caches: what a read gives was right within the staleness it accepts and is
 * never older than the client's own writes; owned tables are exact, through every handing over.
 */
class CacheSimulationTest {
  private static final int SCHEDULES = 250;
  private static final int CLIENTS = 3;
  private static final int KEYS = 3;
  private static final List<String> TABLES = List.of("free", "owned", "rows", "references");
  private static final Map<String, TableSpec> SPECS =
      Map.of(
          "free", TableSpec.values(),
          "owned", TableSpec.values(),
          "rows", TableSpec.columns(),
          "references", TableSpec.reference("free"));
  private static final int[] STALENESS_MILLIS = {0, 5, 20, 100, 1_000};

  /** Counts up a free entry. */
  private static final class Count implements MicroComponent {
    @Override
    public String name() {
      return "count";
    }

    @Override
    public Bytes call(Transaction transaction, Bytes key) {
      transaction.put("free", key, Bytes.utf8("called at " + transaction.index()));
      return key;
    }
  }

  private final Map<String, Integer> kinds = new HashMap<>();

  @Test
  void readsAreAsGoodAsTheySay() {
    SimulationSeeds.forEach(SCHEDULES, seed -> new Schedule(new Random(seed)).run());
    if (!SimulationSeeds.chosen()) {
      // The schedules are worth something only if they bring about all of this.
      assertThat(kinds)
          .containsKeys(
              "hit", "exact hit", "shared", "Found", "Absent", "Unknown", "write Unknown");
    }
  }

  private final class Schedule {
    private final SimulatedStore store;
    private final Random random;
    private final List<Caller> callers = new ArrayList<>();
    private long epoch;

    Schedule(Random random) {
      this.random = random;
      store = new SimulatedStore(random, new StoreStateMachine(List.of(new Count())));
      for (String table : TABLES) {
        store.applyAtOnce(
            new Command.CreateTable(table, SPECS.getOrDefault(table, TableSpec.values())));
      }
      for (int key = 0; key < KEYS; key++) {
        readsOf(key(key)).forEach(store::watch);
      }
      for (int i = 0; i < CLIENTS; i++) {
        callers.add(new Caller(store));
      }
    }

    void run() {
      handOver();
      for (int step = 0; step < 300; step++) {
        store.run(random.nextInt(12));
        callers.get(random.nextInt(CLIENTS)).act();
        if (random.nextInt(40) == 0) {
          handOver();
        }
      }
      store.run(2_000);
      callers.forEach(Caller::count);
    }

    /** The owned table gets another owner, or none for now. */
    private void handOver() {
      for (Caller caller : callers) {
        if (caller.wire.mayWriteOwned) {
          caller.wire.mayWriteOwned = false;
          loses(caller);
        } else if (random.nextInt(4) == 0) {
          caller.wire.lapse();
          store.after(random.nextInt(50), caller::recoverUnlessFaulted);
        }
      }
      Caller next = callers.get(random.nextInt(CLIENTS));
      if (!next.faulted) {
        next.wire.mayWriteOwned = true;
        next.term = ++epoch;
      }
    }

    /** It is told, or it knows only by its clock until it has another session. */
    private void loses(Caller caller) {
      if (random.nextBoolean()) {
        caller.term = 0;
        return;
      }
      caller.faulted = true;
      caller.wire.lapse();
      store.after(
          random.nextInt(300),
          () -> {
            caller.faulted = false;
            caller.term = 0;
            caller.wire.nextSession();
          });
    }
  }

  private static Bytes key(int number) {
    return Bytes.copyOf((byte) number);
  }

  private static Command readOf(String table, Bytes key) {
    return table.equals("rows")
        ? new Command.GetColumns(table, key, List.of())
        : new Command.Get(table, key);
  }

  private static List<Command> readsOf(Bytes key) {
    List<Command> reads = new ArrayList<>();
    TABLES.forEach(table -> reads.add(readOf(table, key)));
    reads.add(new Command.GetThrough("references", key, List.of()));
    return reads;
  }

  /** The reads whose answer a write may change, and that the cache takes for such. */
  private static List<Command> changedBy(Command write) {
    List<Command> reads = new ArrayList<>();
    boolean through = write instanceof Command.Call;
    if (write instanceof Command.Call call) {
      reads.add(readOf("free", call.argument()));
    }
    for (Slot.EntrySlot place : EntryObservation.namedBy(write).keySet()) {
      reads.add(readOf(place.table(), place.key()));
      through |= place.table().equals("free") || place.table().equals("references");
    }
    for (int key = 0; through && key < KEYS; key++) {
      reads.add(new Command.GetThrough("references", key(key), List.of()));
    }
    return reads;
  }

  private final class Caller {
    private final SimulatedStore store;
    private final Random random;
    private final SimulatedStore.Wire wire;
    private final CachingStore cache;
    private long term;
    private boolean faulted;

    /** When the last own write of each entry was applied whose reply has arrived. */
    private final Map<Command, Long> ownNanos = new HashMap<>();

    private final List<String> violations = new ArrayList<>();
    private final Callbacks callbacks = new Callbacks();

    /** What reads of single entries gave last. */
    private final Map<Command, AnsweredQuery> seen = new LinkedHashMap<>();

    Caller(SimulatedStore store) {
      this.store = store;
      this.random = store.random();
      wire = store.connect();
      int entries = random.nextInt(3) == 0 ? 3 : 100;
      cache = CachingStore.over(wire, store::nowNanos, new CacheOptions(entries, 1 << 20, SPECS));
      cache.own("owned", () -> term);
    }

    void recoverUnlessFaulted() {
      if (!faulted) {
        wire.recover();
      }
    }

    void act() {
      Bytes key = key(random.nextInt(KEYS));
      if (random.nextInt(5) < 3) {
        List<Command> reads = readsOf(key);
        Command read = reads.get(random.nextInt(reads.size()));
        read(read, STALENESS_MILLIS[random.nextInt(STALENESS_MILLIS.length)]);
      } else if (random.nextInt(10) == 0) {
        Command.Call call = new Command.Call("count", key);
        boolean named = random.nextBoolean();
        wrote(call, named ? cache.call(call, List.of("free")) : cache.submit(call));
      } else if (random.nextInt(4) == 0) {
        List<Command> writes = List.of(write("free", key), write("rows", key), write("free", key));
        List<AnsweredQuery> decidedOn =
            seen.values().stream().filter(any -> random.nextInt(4) == 0).toList();
        List<Command.Guard> guards = decidedOn.stream().map(AnsweredQuery::guard).toList();
        wrote(new Command.Batch(guards, writes), cache.write(writes, decidedOn));
      } else {
        Command write = write(TABLES.get(random.nextInt(TABLES.size())), key);
        wrote(write, cache.submit(write));
      }
    }

    private Command write(String table, Bytes key) {
      Bytes value =
          table.equals("references")
              ? key(random.nextInt(KEYS))
              : Bytes.utf8("v" + random.nextInt(1_000_000));
      Command read = readOf(table, key);
      AnsweredQuery last = seen.get(read);
      long version = last == null ? 1 : last.guard().version();
      if (table.equals("rows")) {
        String column = "c" + random.nextInt(3);
        return switch (random.nextInt(5)) {
          case 0 -> new Command.Remove(table, key);
          case 1 -> new Command.RemoveColumns(table, key, List.of(column));
          case 2 -> new Command.ReplaceColumns(table, key, version, Row.of(Map.of(column, value)));
          default -> new Command.PutColumns(table, key, Row.of(Map.of(column, value)));
        };
      }
      return switch (random.nextInt(6)) {
        case 0 -> new Command.Remove(table, key);
        case 1 -> new Command.RemoveVersion(table, key, version);
        case 2 -> new Command.PutIfAbsent(table, key, value);
        case 3 -> new Command.Replace(table, key, version, value);
        default -> new Command.Put(table, key, value);
      };
    }

    private void wrote(Command write, CompletableFuture<Reply> reply) {
      callbacks.add(reply.thenAccept(answer -> answered(write, answer)));
    }

    private void answered(Command write, Reply answer) {
      kinds.merge("write " + answer.getClass().getSimpleName(), 1, Integer::sum);
      if (answer instanceof Reply.Applied
          || answer instanceof Reply.Batched
          || answer instanceof Reply.Returned) {
        Long applied = wire.appliedNanos.get(write);
        long atNanos = applied == null ? 0 : applied;
        changedBy(write).forEach(read -> ownNanos.merge(read, atNanos, Math::max));
      }
    }

    private void read(Command read, long stalenessMillis) {
      long calledNanos = store.nowNanos();
      long hits = cache.statistics().hits();
      boolean owned = read instanceof Command.Get get && get.table().equals("owned");
      boolean exact = owned && wire.mayWriteOwned && term != 0 && isValid();
      long staleNanos = calledNanos - TimeUnit.MILLISECONDS.toNanos(stalenessMillis);
      long from = exact ? calledNanos : Math.max(staleNanos, ownNanos.getOrDefault(read, 0L));
      CompletableFuture<AnsweredQuery> reading = cache.read(read, stalenessMillis);
      if (cache.statistics().hits() > hits) {
        kinds.merge(exact ? "exact hit" : "hit", 1, Integer::sum);
      }
      callbacks.add(
          reading.thenAccept(
              seen -> {
                String wrong = wrong(read, seen, from);
                if (wrong != null) {
                  violations.add(wrong);
                }
              }));
    }

    private boolean isValid() {
      return wire.session().validUntilNanos() > store.nowNanos();
    }

    private @Nullable String wrong(Command read, AnsweredQuery given, long fromNanos) {
      Reply reply = given.reply();
      kinds.merge(reply.getClass().getSimpleName(), 1, Integer::sum);
      if (reply instanceof Reply.Unknown || reply instanceof Reply.Rejected) {
        return null;
      }
      if (!(read instanceof Command.GetThrough)) {
        seen.put(read, given);
      }
      return store.wasRight(read, reply, fromNanos, store.nowNanos())
          ? null
          : read + " gave " + reply + ", wrong since before " + fromNanos;
    }

    void count() {
      callbacks.check();
      assertThat(violations).isEmpty();
      if (cache.statistics().shared() > 0) {
        kinds.merge("shared", 1, Integer::sum);
      }
    }
  }
}
