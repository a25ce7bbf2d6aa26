package io.lockstep.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.Request;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.core.TestMachines;
import io.lockstep.store.engine.ChangeHints;
import io.lockstep.store.engine.SnapshotBytes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** A feed tells a table's whole story: a true snapshot, then no gap and no duplicate. */
class ChangeFeedTest {
  private static final List<String> FOLLOWED = List.of("a", "b");

  /** Longer than any test waits. */
  private static final long SELDOM_MILLIS = 60_000;

  private static final long UNHINTED_MILLIS = 100;

  private static final Map<String, TableSpec> TABLES =
      Map.of("a", TableSpec.values(), "b", TableSpec.values(), "c", TableSpec.values());

  @Test
  void storyIsTheLogsOverAnyInterleaving() {
    AtomicInteger snapshots = new AtomicInteger();
    AtomicInteger delivered = new AtomicInteger();
    SimulationSeeds.forEach(
        80,
        seed -> {
          Schedule schedule = new Schedule(seed, 64);
          schedule.runFaulty();
          schedule.check();
          snapshots.addAndGet(schedule.recorder.snapshots);
          delivered.addAndGet(schedule.recorder.delivered);
        });
    if (!SimulationSeeds.chosen()) {
      // Each begins with a snapshot. Some histories did not reach back, and yet much was told by
      // changes.
      assertThat(snapshots.get()).isGreaterThan(90);
      assertThat(delivered.get()).isGreaterThan(1_000);
    }
  }

  @Test
  void hintsReplaceThePollOverAnyInterleaving() {
    AtomicInteger delivered = new AtomicInteger();
    SimulationSeeds.forEach(
        80,
        seed -> {
          Schedule schedule = new Schedule(seed, 64, SELDOM_MILLIS, true);
          schedule.runFaulty();
          schedule.check();
          delivered.addAndGet(schedule.recorder.delivered);
        });
    if (!SimulationSeeds.chosen()) {
      assertThat(delivered.get()).isGreaterThan(1_000);
    }
  }

  @Test
  void hintedFeedAsksOnlyWhenItsTablesChange() {
    Schedule schedule = new Schedule(1, 64, SELDOM_MILLIS, true);
    schedule.cluster.heal();
    schedule.loop.run(1_000);
    schedule.put("a", 1);
    schedule.loop.run(30);
    assertThat(schedule.recorder.delivered).isEqualTo(1);
    schedule.loop.run(1_000);
    long operations = schedule.machine.index();
    schedule.put("c", 1);
    schedule.loop.run(30_000);
    assertThat(schedule.machine.index()).isEqualTo(operations + 1);
    schedule.put("b", 1);
    schedule.loop.run(30);
    // The put, and one question.
    assertThat(schedule.machine.index()).isEqualTo(operations + 3);
    schedule.check();
  }

  @Test
  void lostHintCostsOnePoll() {
    Schedule schedule = new Schedule(1, 64, 700, true);
    schedule.cluster.heal();
    schedule.loop.run(1_000);
    schedule.hintsLost = true;
    schedule.put("a", 1);
    schedule.loop.run(800);
    assertThat(schedule.recorder.delivered).isEqualTo(1);
    schedule.check();
  }

  @Test
  void feedAsksOftenWhileNoHintsAreGiven() {
    Schedule schedule = new Schedule(1, 64, SELDOM_MILLIS, true);
    schedule.hintsGiven = false;
    schedule.cluster.heal();
    schedule.loop.run(1_000);
    schedule.put("a", 1);
    schedule.loop.run(UNHINTED_MILLIS + 30);
    assertThat(schedule.recorder.delivered).isEqualTo(1);
    long operations = schedule.machine.index();
    schedule.loop.run(10 * UNHINTED_MILLIS);
    assertThat(schedule.machine.index()).isBetween(operations + 5, operations + 10);
    schedule.hintsGiven = true;
    schedule.loop.run(UNHINTED_MILLIS + 30);
    operations = schedule.machine.index();
    schedule.loop.run(10 * UNHINTED_MILLIS);
    assertThat(schedule.machine.index()).isEqualTo(operations);
    schedule.check();
  }

  @Test
  void idleFeedHearsOfAChangeWithinOnePoll() {
    Schedule schedule = new Schedule(1, 64);
    schedule.cluster.heal();
    schedule.loop.run(1_000);
    assertThat(schedule.recorder.snapshots).isEqualTo(1);
    schedule.put("a", 1);
    schedule.loop.run(ChangeFeed.POLL_MILLIS + 30);
    assertThat(schedule.recorder.delivered).isEqualTo(1);
    schedule.check();
  }

  @Test
  void pokedFeedAsksAtOnce() {
    Schedule schedule = new Schedule(1, 64, 60_000);
    schedule.cluster.heal();
    schedule.loop.run(1_000);
    schedule.put("a", 1);
    schedule.loop.run(30_000);
    assertThat(schedule.recorder.delivered).isZero();
    schedule.feed.poke();
    schedule.loop.run(30);
    assertThat(schedule.recorder.delivered).isEqualTo(1);
  }

  @Test
  void lossOfQuorumOnlyDelays() {
    Schedule schedule = new Schedule(1, 64);
    schedule.cluster.heal();
    schedule.loop.run(1_000);
    schedule.put("a", 1);
    schedule.loop.run(200);
    schedule.cluster.setQuorum(false);
    schedule.loop.run(60_000);
    schedule.put("a", 2);
    schedule.cluster.setQuorum(true);
    schedule.loop.run(2_000);
    assertThat(schedule.recorder.snapshots).isEqualTo(1);
    assertThat(schedule.recorder.delivered).isEqualTo(2);
    schedule.check();
  }

  @Test
  void historyThatIsGoneBringsAFreshSnapshot() {
    Schedule schedule = new Schedule(1, 16);
    schedule.cluster.heal();
    schedule.loop.run(1_000);
    schedule.feedConnection.setCut(true);
    for (int i = 0; i < 100; i++) {
      schedule.put("a", i);
      schedule.loop.run(5);
    }
    schedule.feedConnection.setCut(false);
    schedule.loop.run(3_000);
    assertThat(schedule.recorder.snapshots).isEqualTo(2);
    schedule.check();
  }

  @Test
  void storeThatBeganAnewBringsAFreshSnapshot() {
    Schedule schedule = new Schedule(1, 64);
    schedule.cluster.heal();
    for (int i = 0; i < 50; i++) {
      schedule.put("a", i);
    }
    schedule.loop.run(1_000);
    byte[] empty = SnapshotBytes.of(new StoreStateMachine(List.of()));
    SnapshotBytes.restore(schedule.machine, empty);
    SnapshotBytes.restore(schedule.log, empty);
    schedule.loop.run(2_000);
    assertThat(schedule.recorder.snapshots).isEqualTo(2);
    assertThat(schedule.recorder.image.values()).allMatch(Map::isEmpty);
  }

  @Test
  void feedWaitsUntilItsTableIsDeclared() {
    Schedule schedule = new Schedule(1, 64);
    schedule.cluster.heal();
    ChangeFeed feed =
        new ChangeFeed(schedule.writer, schedule.loop, List.of("late"), 50, new FeedRecorder(), 3);
    feed.start();
    schedule.loop.run(1_000);
    assertThat(feed.upToIndex()).isEqualTo(-1);
    CompletableFuture<Reply> created =
        schedule.writer.submit(new Command.CreateTable("late", TableSpec.values()));
    schedule.loop.run(1_000);
    assertThat(created.join()).isInstanceOf(Reply.Applied.class);
    assertThat(feed.upToIndex()).isPositive();
  }

  @Test
  void failedListenerEndsTheFeed() {
    Schedule schedule = new Schedule(1, 64);
    schedule.cluster.heal();
    schedule.loop.run(1_000);
    schedule.recorder.fail = true;
    schedule.put("a", 1);
    schedule.loop.run(1_000);
    schedule.recorder.fail = false;
    schedule.put("a", 2);
    schedule.loop.run(1_000);
    assertThat(schedule.recorder.delivered).isZero();
  }

  private static final class Schedule {
    final Random random;
    final SimulatedLoop loop = new SimulatedLoop();
    final StoreStateMachine machine;
    final StoreStateMachine log = new StoreStateMachine(List.of());
    final SimulatedCluster cluster;
    final SimulatedCluster.Connection feedConnection;
    final BatchingStoreClient writer;
    final ChangeFeed feed;
    final FeedRecorder recorder = new FeedRecorder();
    final List<CompletableFuture<Reply>> writes = new ArrayList<>();
    boolean hintsLost;
    boolean hintsGiven = true;

    Schedule(long seed, int history) {
      this(seed, history, ChangeFeed.POLL_MILLIS);
    }

    Schedule(long seed, int history, long pollMillis) {
      this(seed, history, pollMillis, false);
    }

    Schedule(long seed, int history, long pollMillis, boolean hinted) {
      random = new Random(seed);
      machine = TestMachines.forgetful(history);
      cluster = new SimulatedCluster(loop, random, List.of(machine, log));
      feedConnection = cluster.connect(4);
      writer = client("writer", cluster.connect(4));
      BatchingStoreClient reader = client("reader", feedConnection);
      feed = new ChangeFeed(reader, loop, FOLLOWED, pollMillis, recorder, 3);
      if (hinted) {
        feed.follow(new Hints(), UNHINTED_MILLIS);
      }
      feed.start();
    }

    private final class Hints implements ChangeHints {
      @Override
      public Following follow(Collection<String> tables, LongConsumer hint) {
        return machine
            .hints()
            .follow(
                tables,
                index -> {
                  if (hintsGiven && !hintsLost) {
                    hint.accept(index);
                  }
                });
      }

      @Override
      public boolean given() {
        return hintsGiven;
      }
    }

    private BatchingStoreClient client(String owner, SimulatedCluster.Connection connection) {
      ClientOptions options =
          ClientOptions.of(owner).withTimeToLiveMillis(60_000).withTables(TABLES);
      return BatchingStoreClient.open(connection, options, loop::nowNanos, random::nextLong);
    }

    void put(String table, int key) {
      Bytes value = Bytes.utf8("v" + random.nextInt());
      submit(new Command.Put(table, Bytes.utf8("k" + key), value));
    }

    private void submit(Command write) {
      CompletableFuture<Reply> reply = writer.submit(write);
      if (FOLLOWED.contains(tableOf(write))) {
        writes.add(reply);
      }
    }

    private static String tableOf(Command write) {
      return write instanceof Command.Put put ? put.table() : ((Command.Remove) write).table();
    }

    /** Writers and feed at once, with everything that can go wrong on the way. */
    void runFaulty() {
      for (int step = 0; step < 150; step++) {
        for (int i = random.nextInt(6); i > 0; i--) {
          String table = List.of("a", "b", "c").get(random.nextInt(3));
          int key = random.nextInt(12);
          if (random.nextInt(3) == 0) {
            submit(new Command.Remove(table, Bytes.utf8("k" + key)));
          } else {
            put(table, key);
          }
        }
        feedConnection.setCut(random.nextInt(20) == 0);
        cluster.setQuorum(random.nextInt(20) > 0);
        loop.run(random.nextInt(60));
      }
      cluster.heal();
      feedConnection.setCut(false);
      loop.run(5_000);
    }

    /** The whole log, from the replica that forgets nothing, against what the feed told. */
    void check() {
      List<Change> whole = wholeLog();
      assertThat(whole).extracting(Change::index).containsAll(acknowledged());
      Map<String, TreeMap<Bytes, Entry>> then = new TreeMap<>();
      FOLLOWED.forEach(table -> then.put(table, new TreeMap<>()));
      List<Change> later = new ArrayList<>();
      for (Change change : whole) {
        if (change.index() > recorder.snapshotIndex) {
          later.add(change);
          continue;
        }
        Map<Bytes, Entry> entries = then.computeIfAbsent(change.table(), t -> new TreeMap<>());
        Bytes value = change.value();
        if (value == null) {
          entries.remove(change.key());
        } else {
          entries.put(change.key(), new Entry(change.key(), value, change.index()));
        }
      }
      assertThat(recorder.wrong).isZero();
      assertThat(recorder.image).isEqualTo(then);
      assertThat(recorder.sinceSnapshot).isEqualTo(later);
      assertThat(feed.upToIndex()).isEqualTo(recorder.upToIndex);
    }

    /** The versions of the writes to followed tables that were acknowledged. */
    private List<Long> acknowledged() {
      return writes.stream()
          .filter(CompletableFuture::isDone)
          .map(CompletableFuture::join)
          .filter(Reply.Applied.class::isInstance)
          .map(reply -> ((Reply.Applied) reply).version())
          .toList();
    }

    private List<Change> wholeLog() {
      Command open = new Command.OpenSession(-1, "checker", 600_000);
      long session = ((Reply.SessionOpened) ask(0, 1, open)).sessionId();
      List<Change> whole = new ArrayList<>();
      long after = 0;
      long end = log.index();
      for (int operation = 1; after < end; operation++) {
        Command read = new Command.ReadChanges(FOLLOWED, after, 10_000);
        Reply.Changes page = (Reply.Changes) ask(session, operation, read);
        whole.addAll(page.changes());
        after = page.upToIndex();
      }
      return whole;
    }

    private Reply ask(long sender, long id, Command command) {
      Request.Operation operation = new Request.Operation(id, command);
      return log.apply(0, new Request(sender, 0, List.of(operation))).replies().get(0);
    }
  }
}
