package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.engine.SnapshotBytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** Random operations against the simplest model, and against a replica restored on the way. */
class StoreModelTest {
  private static final List<String> TABLES = List.of("a", "b", "c");
  private static final MicroComponent MOVE =
      StoreStateMachineTest.component(
          "move",
          (transaction, argument) -> {
            Entry entry = transaction.get("a", argument);
            transaction.put("b", argument, entry == null ? Bytes.empty() : entry.value());
            if (!transaction.remove("a", argument)) {
              throw new MicroComponent.Refusal("nothing to move");
            }
            return entry == null ? argument : entry.value();
          });

  private record Place(String table, Bytes key) {}

  @Property(tries = 300)
  void repliesAreTheModels(@ForAll long seed) {
    Random random = new Random(seed);
    Replica replica = new Replica(MOVE).declare("a", "b", "c");
    long session = replica.open(600_000);
    Map<Place, Entry> model = new HashMap<>();
    for (int i = 0; i < 200; i++) {
      Command command = command(random, model);
      long index = replica.machine.index() + 1;
      assertThat(replica.run(session, command))
          .as("%s at %d, seed %d", command, index, seed)
          .isEqualTo(expected(model, command, index));
    }
    for (String table : TABLES) {
      Reply scan = replica.run(session, new Command.Scan(table, Bytes.empty(), null, 10_000));
      assertThat(((Reply.Entries) scan).entries()).containsExactlyElementsOf(sorted(model, table));
    }
    assertThat(replayed(replica, session)).isEqualTo(model);
  }

  @Property(tries = 200)
  void restoredReplicaIsTheSame(@ForAll long seed) {
    HistoryBounds bounds = new HistoryBounds(16, 600, 1_000);
    Random random = new Random(seed);
    Replica first = new Replica(bounds, MOVE).declare("a", "b", "c");
    Replica second = new Replica(bounds, MOVE).declare("a", "b", "c");
    List<Long> sessions = new ArrayList<>(List.of(first.open(600), first.open(5_000)));
    second.open(600);
    second.open(5_000);
    for (int i = 0; i < 150; i++) {
      if (random.nextInt(10) == 0) {
        byte[] snapshot = SnapshotBytes.of(first.machine);
        SnapshotBytes.restore(second.machine, snapshot);
        assertThat(SnapshotBytes.of(second.machine)).as("seed %d", seed).isEqualTo(snapshot);
      }
      long passed = random.nextInt(300);
      first.nowMillis += passed;
      second.nowMillis += passed;
      long session = sessions.get(random.nextInt(sessions.size()));
      long acknowledged = Math.max(0, i - random.nextInt(20));
      long operation = Math.max(0, i - random.nextInt(10));
      Command command =
          random.nextInt(20) == 0
              ? new Command.OpenSession(random.nextInt(20) + 10, "o", 600 + random.nextInt(2_000))
              : random.nextInt(30) == 0
                  ? new Command.CloseSession(session)
                  : command(random, Map.of());
      long sender = command instanceof Command.OpenSession ? 0 : session;
      var response = first.send(sender, acknowledged, operation, command);
      assertThat(second.send(sender, acknowledged, operation, command)).isEqualTo(response);
      if (response.replies().get(0) instanceof Reply.SessionOpened opened) {
        sessions.add(opened.sessionId());
      }
    }
    assertThat(SnapshotBytes.of(second.machine))
        .as("seed %d", seed)
        .isEqualTo(SnapshotBytes.of(first.machine));
  }

  private static Command command(Random random, Map<Place, Entry> model) {
    String table = TABLES.get(random.nextInt(TABLES.size()));
    Bytes key = Bytes.copyOf((byte) random.nextInt(256), (byte) random.nextInt(2));
    if (random.nextInt(4) > 0) {
      key = Bytes.copyOf((byte) random.nextInt(5));
    }
    Bytes value =
        random.nextBoolean()
            ? Counters.bytesOf(random.nextInt())
            : Bytes.utf8("v" + random.nextInt(100));
    Entry entry = model.get(new Place(table, key));
    long version = entry == null || random.nextInt(3) == 0 ? random.nextInt(50) : entry.version();
    return switch (random.nextInt(9)) {
      case 0 -> new Command.Get(table, key);
      case 1, 2 -> new Command.Put(table, key, value);
      case 3 -> new Command.PutIfAbsent(table, key, value);
      case 4 -> new Command.Replace(table, key, version, value);
      case 5 -> new Command.Remove(table, key);
      case 6 -> new Command.RemoveVersion(table, key, version);
      case 7 -> new Command.Increment(table, key, random.nextInt(10) - 5);
      default -> new Command.Call("move", key);
    };
  }

  /** What the paper says each operation does, on a plain map. */
  private static Reply expected(Map<Place, Entry> model, Command command, long index) {
    if (command instanceof Command.Get c) {
      Entry entry = model.get(new Place(c.table(), c.key()));
      return entry == null ? new Reply.Absent() : new Reply.Found(entry.value(), entry.version());
    } else if (command instanceof Command.Put c) {
      return put(model, new Place(c.table(), c.key()), c.value(), index);
    } else if (command instanceof Command.PutIfAbsent c) {
      Place place = new Place(c.table(), c.key());
      Entry entry = model.get(place);
      return entry == null ? put(model, place, c.value(), index) : conflict(entry);
    } else if (command instanceof Command.Replace c) {
      Place place = new Place(c.table(), c.key());
      Reply refused = refused(model.get(place), c.expectedVersion());
      return refused == null ? put(model, place, c.value(), index) : refused;
    } else if (command instanceof Command.Remove c) {
      return model.remove(new Place(c.table(), c.key())) == null
          ? new Reply.Absent()
          : new Reply.Applied(index);
    } else if (command instanceof Command.RemoveVersion c) {
      Place place = new Place(c.table(), c.key());
      Reply refused = refused(model.get(place), c.expectedVersion());
      if (refused == null) {
        model.remove(place);
      }
      return refused == null ? new Reply.Applied(index) : refused;
    } else if (command instanceof Command.Increment c) {
      return increment(model, c, index);
    } else if (command instanceof Command.Call c) {
      Entry entry = model.remove(new Place("a", c.argument()));
      if (entry == null) {
        return new Reply.Rejected(Reply.Reason.COMPONENT_REFUSED, "nothing to move");
      }
      put(model, new Place("b", c.argument()), entry.value(), index);
      return new Reply.Returned(entry.value());
    }
    throw new IllegalArgumentException(command.toString());
  }

  private static Reply increment(Map<Place, Entry> model, Command.Increment c, long index) {
    Place place = new Place(c.table(), c.key());
    Entry entry = model.get(place);
    if (entry != null && entry.value().length() != 8) {
      return new Reply.Rejected(
          Reply.Reason.OUT_OF_BOUNDS, "not a counter: the value is not 8 bytes long");
    }
    long before = entry == null ? 0 : ByteBuffer.wrap(entry.value().toArray()).getLong();
    put(model, place, Counters.bytesOf(before + c.delta()), index);
    return new Reply.Counter(before + c.delta(), index);
  }

  private static Reply put(Map<Place, Entry> model, Place place, Bytes value, long index) {
    model.put(place, new Entry(place.key(), value, index));
    return new Reply.Applied(index);
  }

  private static @Nullable Reply refused(@Nullable Entry entry, long expectedVersion) {
    if (entry == null) {
      return new Reply.Absent();
    }
    return entry.version() == expectedVersion ? null : conflict(entry);
  }

  private static Reply conflict(Entry entry) {
    return new Reply.Conflict(entry.value(), entry.version());
  }

  private static List<Entry> sorted(Map<Place, Entry> model, String table) {
    return model.entrySet().stream()
        .filter(e -> e.getKey().table().equals(table))
        .map(Map.Entry::getValue)
        .sorted((a, b) -> a.key().compareTo(b.key()))
        .toList();
  }

  /** The tables as their changes alone tell them, read in small steps. */
  private static Map<Place, Entry> replayed(Replica replica, long session) {
    Map<Place, Entry> replayed = new HashMap<>();
    long end = replica.machine.index();
    long after = 0;
    while (after < end) {
      Reply reply = replica.run(session, new Command.ReadChanges(TABLES, after, 7));
      Reply.Changes page = (Reply.Changes) reply;
      for (Change change : page.changes()) {
        assertThat(change.index()).isGreaterThan(after);
        Place place = new Place(change.table(), change.key());
        Bytes value = change.value();
        if (value == null) {
          replayed.remove(place);
        } else {
          replayed.put(place, new Entry(change.key(), value, change.index()));
        }
      }
      after = page.upToIndex();
    }
    return replayed;
  }
}
