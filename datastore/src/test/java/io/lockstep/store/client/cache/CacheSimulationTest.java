package io.lockstep.store.client.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.Transaction;
import io.lockstep.store.core.StoreStateMachine;
import java.util.ArrayList;
import java.util.HashMap;
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
  private static final int SCHEDULES = 400;
  private static final int CLIENTS = 3;
  private static final int KEYS = 3;
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
    Long only = Long.getLong("lockstep.sim.seed");
    long first = only == null ? 1 : only;
    long last = only == null ? SCHEDULES : only;
    for (long seed = first; seed <= last; seed++) {
      try {
        new Schedule(new Random(seed)).run();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("replay with -Dlockstep.sim.seed=" + seed, e);
      }
    }
    if (only == null) {
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
      for (String table : List.of("free", "owned")) {
        store.applyAtOnce(new Command.CreateTable(table, TableSpec.values()));
        for (int key = 0; key < KEYS; key++) {
          store.watch(new Command.Get(table, key(key)));
        }
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
    private final Map<Command, Long> versions = new HashMap<>();

    Caller(SimulatedStore store) {
      this.store = store;
      this.random = store.random();
      wire = store.connect();
      int entries = random.nextInt(3) == 0 ? 3 : 100;
      cache =
          CachingStore.over(wire, store::nowNanos, new CacheOptions(entries, 1 << 20, Map.of()));
      cache.own("owned", () -> term);
    }

    void recoverUnlessFaulted() {
      if (!faulted) {
        wire.recover();
      }
    }

    void act() {
      String table = random.nextBoolean() ? "free" : "owned";
      Bytes key = key(random.nextInt(KEYS));
      Command.Get get = new Command.Get(table, key);
      if (random.nextInt(5) < 3) {
        read(get, STALENESS_MILLIS[random.nextInt(STALENESS_MILLIS.length)]);
      } else if (table.equals("free") && random.nextInt(6) == 0) {
        Command.Call call = new Command.Call("count", key);
        boolean named = random.nextBoolean();
        wrote(get, call, named ? cache.call(call, List.of("free")) : cache.submit(call));
      } else {
        Command write = write(table, key, versions.getOrDefault(get, 1L));
        wrote(get, write, cache.submit(write));
      }
    }

    private Command write(String table, Bytes key, long version) {
      Bytes value = Bytes.utf8("v" + random.nextInt(1_000_000));
      return switch (random.nextInt(6)) {
        case 0 -> new Command.Remove(table, key);
        case 1 -> new Command.RemoveVersion(table, key, version);
        case 2 -> new Command.PutIfAbsent(table, key, value);
        case 3 -> new Command.Replace(table, key, version, value);
        default -> new Command.Put(table, key, value);
      };
    }

    private void wrote(Command.Get get, Command write, CompletableFuture<Reply> reply) {
      reply.thenAccept(
          answer -> {
            if (answer instanceof Reply.Unknown) {
              kinds.merge("write Unknown", 1, Integer::sum);
            } else if (answer instanceof Reply.Applied || answer instanceof Reply.Returned) {
              Long applied = wire.appliedNanos.get(write);
              ownNanos.merge(get, applied == null ? 0 : applied, Math::max);
            }
          });
    }

    private void read(Command.Get get, long stalenessMillis) {
      long calledNanos = store.nowNanos();
      long hits = cache.statistics().hits();
      boolean exact = get.table().equals("owned") && wire.mayWriteOwned && term != 0 && isValid();
      long staleNanos = calledNanos - TimeUnit.MILLISECONDS.toNanos(stalenessMillis);
      long from = exact ? calledNanos : Math.max(staleNanos, ownNanos.getOrDefault(get, 0L));
      CompletableFuture<Seen> read = cache.read(get, stalenessMillis);
      if (cache.statistics().hits() > hits) {
        kinds.merge(exact ? "exact hit" : "hit", 1, Integer::sum);
      }
      read.thenAccept(
          seen -> {
            String wrong = wrong(get, seen.reply(), from);
            if (wrong != null) {
              violations.add(wrong);
            }
          });
    }

    private boolean isValid() {
      return wire.session().validUntilNanos() > store.nowNanos();
    }

    private @Nullable String wrong(Command.Get get, Reply reply, long fromNanos) {
      kinds.merge(reply.getClass().getSimpleName(), 1, Integer::sum);
      if (reply instanceof Reply.Found found) {
        versions.put(get, found.version());
      }
      boolean entry = reply instanceof Reply.Found || reply instanceof Reply.Absent;
      return entry && !store.wasRight(get, reply, fromNanos, store.nowNanos())
          ? get + " gave " + reply + ", wrong since before " + fromNanos
          : null;
    }

    void count() {
      assertThat(violations).isEmpty();
      if (cache.statistics().shared() > 0) {
        kinds.merge("shared", 1, Integer::sum);
      }
    }
  }
}
