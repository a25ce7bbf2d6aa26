package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.client.SimulationSeeds;
import io.lockstep.store.codec.ResponseDecoder;
import io.lockstep.store.core.NaiveReads.Place;
import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.engine.SnapshotBytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Random commands against the simplest model, and against a replica restored on the way. */
class StoreModelTest {
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

  private static final MicroComponent LOOK =
      StoreStateMachineTest.component(
          "look",
          (transaction, key) ->
              NaiveStore.looked(
                  transaction.get("a", key),
                  transaction.scan("b", key, null, 2),
                  transaction.getThrough("many", key, List.of()),
                  transaction.getColumns("rows", key, List.of("ip"))));

  @Property(tries = 300)
  void repliesAreTheModels(@ForAll long seed) {
    compare(seed, new HashMap<>());
  }

  /** Equal replies say little where all are refusals. */
  @Test
  void everyCommandSucceedsAndFails() {
    Map<String, Integer> kinds = new HashMap<>();
    SimulationSeeds.forEach(20, seed -> compare(seed, kinds));
    if (SimulationSeeds.chosen()) {
      return;
    }
    assertThat(kinds)
        .containsKeys(
            "Get Found",
            "Put Applied",
            "Put Rejected",
            "PutIfAbsent Conflict",
            "Replace Applied",
            "RemoveVersion Applied",
            "Increment Counter",
            "Scan Entries",
            "CreateTable Applied",
            "CreateTable Rejected",
            "Call Returned",
            "Query Returned",
            "PutColumns Applied",
            "ReplaceColumns Applied",
            "ReplaceColumns Conflict",
            "GetColumns Columns",
            "RemoveColumns Applied",
            "RemoveColumns Absent",
            "GetThrough Resolved",
            "Batch Batched",
            "Batch BatchRefused");
  }

  private static void compare(long seed, Map<String, Integer> kinds) {
    Random random = new Random(seed);
    NaiveStore model = new NaiveStore();
    RandomCommands commands = new RandomCommands(random, model);
    Replica replica = new Replica(MOVE, LOOK);
    long session = replica.open(600_000);
    for (int i = 0; i < 250; i++) {
      List<Command.CreateTable> declared = RandomCommands.DECLARED;
      Command command = i < declared.size() ? declared.get(i) : commands.next();
      long index = replica.machine.index() + 1;
      Reply reply = NaiveStore.withoutMessage(replica.run(session, command));
      assertThat(reply)
          .as("%s at %d, seed %d", command, index, seed)
          .isEqualTo(model.apply(command, index));
      kinds.merge(name(command) + " " + name(reply), 1, Integer::sum);
    }
    List<String> tables = List.copyOf(model.specs.keySet());
    for (String table : tables) {
      Reply scan = replica.run(session, new Command.Scan(table, Bytes.empty(), null, 10_000));
      assertThat(((Reply.Entries) scan).entries()).containsExactlyElementsOf(model.sorted(table));
    }
    assertThat(replayed(replica, session, tables)).as("seed %d", seed).isEqualTo(model.entries);
  }

  @Property(tries = 100)
  void replyToAReadIsTheSameOnEveryStateSinceWhatItRestsOn(@ForAll long seed) {
    NaiveStore model = new NaiveStore();
    RandomCommands commands = new RandomCommands(new Random(seed), model);
    Replica replica = new Replica(MOVE, LOOK);
    long session = replica.open(600_000);
    TreeMap<Long, NaiveStore> states = new TreeMap<>(Map.of(replica.machine.index(), model.copy()));
    int older = 0;
    for (int i = 0; i < 200; i++) {
      List<Command.CreateTable> declared = RandomCommands.DECLARED;
      Command command = i < declared.size() ? declared.get(i) : commands.next();
      OrderedReply ordered = replica.ordered(session, command);
      long index = replica.machine.index();
      Reply reply = NaiveStore.withoutMessage(replyIn(ordered));
      if (command.isRead()) {
        assertThat(ordered.restsOn()).isLessThan(index);
        older += ordered.restsOn() < index - 1 ? 1 : 0;
        for (NaiveStore state : states.tailMap(ordered.restsOn(), true).values()) {
          assertThat(state.copy().apply(command, index))
              .as("%s at %d rests on %d, seed %d", command, index, ordered.restsOn(), seed)
              .isEqualTo(reply);
        }
      } else {
        assertThat(ordered.restsOn()).isEqualTo(OrderedReply.ITS_BATCH);
      }
      model.apply(command, index);
      states.put(index, model.copy());
    }
    assertThat(older).as("reads that rest on something older, seed %d", seed).isPositive();
  }

  private static Reply replyIn(OrderedReply ordered) {
    return ResponseDecoder.decode(ordered.bytes()).replies().get(0);
  }

  private static String name(Object record) {
    return record.getClass().getSimpleName();
  }

  @Property(tries = 200)
  void restoredReplicaIsTheSame(@ForAll long seed) {
    HistoryBounds bounds = new HistoryBounds(16, 600, 1_000);
    Random random = new Random(seed);
    RandomCommands commands = new RandomCommands(random, new NaiveStore());
    Replica first = new Replica(bounds, MOVE, LOOK);
    Replica second = new Replica(bounds, MOVE, LOOK);
    List<Long> sessions = new ArrayList<>(List.of(first.open(600), first.open(5_000)));
    second.open(600);
    second.open(5_000);
    for (Command.CreateTable declared : RandomCommands.DECLARED) {
      first.run(sessions.get(0), declared);
      second.run(sessions.get(0), declared);
    }
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
              : random.nextInt(30) == 0 ? new Command.CloseSession(session) : commands.next();
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

  /** The tables as their changes alone tell them, read in small steps. */
  private static Map<Place, Entry> replayed(Replica replica, long session, List<String> tables) {
    Map<Place, Entry> replayed = new HashMap<>();
    long end = replica.machine.index();
    long after = 0;
    while (after < end) {
      Reply reply = replica.run(session, new Command.ReadChanges(tables, after, 7));
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
