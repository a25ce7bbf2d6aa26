package io.lockstep.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Callbacks;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient.SessionListener;
import io.lockstep.store.StoreClient.SessionState;
import io.lockstep.store.TableSpec;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.Request;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.SnapshotBytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Clients over a network that loses, repeats and reorders: what was acknowledged happened once,
 * what was rejected never, what is unknown at most once; and a client that believes in its session
 * is right.
 */
class ExactlyOnceSimulationTest {
  private static final int SCHEDULES = 200;

  /** Counts its argument in one table and everything in another, or refuses and does neither. */
  private static final class Count implements MicroComponent {
    @Override
    public String name() {
      return "count";
    }

    @Override
    public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
      transaction.increment("counts", argument, 1);
      transaction.increment("total", Bytes.utf8("calls"), 1);
      if (argument.at(argument.length() - 1) == '7') {
        throw new Refusal("seven");
      }
      return argument;
    }
  }

  @Test
  void everyOperationHappensAsItsReplySays() {
    Map<String, Integer> kinds = new TreeMap<>();
    SimulationSeeds.forEach(SCHEDULES, seed -> new Schedule(seed).run(kinds));
    if (!SimulationSeeds.chosen()) {
      // The schedules are worth something only if they bring about all of this.
      assertThat(kinds)
          .containsKeys(
              "Counter",
              "Returned",
              "Unknown",
              "Rejected COMPONENT_REFUSED",
              "Rejected NOT_SENT",
              "Rejected SESSION_ENDED",
              "session ended");
    }
  }

  private static final Map<String, TableSpec> TABLES =
      Map.of("counts", TableSpec.values(), "total", TableSpec.values());

  private static final class Schedule {
    private final Random random;
    private final SimulatedLoop loop = new SimulatedLoop();
    private final StoreStateMachine first = new StoreStateMachine(List.of(new Count()));
    private final StoreStateMachine second = new StoreStateMachine(List.of(new Count()));
    private final SimulatedCluster cluster;
    private final List<Worker> workers = new ArrayList<>();
    private int sessionsEnded;
    private boolean sessionNewsRight = true;

    Schedule(long seed) {
      random = new Random(seed);
      cluster = new SimulatedCluster(loop, random, List.of(first, second));
      for (int leader = 0; leader < 3; leader++) {
        cluster.leaders().setWallClock(leader, random.nextInt(4_000) - 2_000);
      }
      if (seed % 2 == 0) {
        List.of(first, second).forEach(machine -> machine.adopt(machine.offered()));
      }
      for (int i = 0; i < 3; i++) {
        workers.add(new Worker("w" + i));
      }
    }

    void run(Map<String, Integer> kinds) {
      cluster.afterEachBatch(this::checkSessions);
      for (int step = 0; step < 60; step++) {
        loop.run(random.nextInt(300));
        workers.forEach(worker -> worker.submit(random.nextInt(20)));
        workers.forEach(worker -> worker.connection.setCut(random.nextInt(12) == 0));
        cluster.setQuorum(random.nextInt(15) > 0);
        if (random.nextInt(20) == 0) {
          // Cut off for longer than the session lives.
          Worker unlucky = workers.get(random.nextInt(workers.size()));
          unlucky.connection.setCut(true);
          cluster.setQuorum(true);
          loop.run(3_000);
        }
        if (random.nextInt(4) == 0) {
          cluster.leaders().change();
        }
        if (random.nextInt(10) == 0) {
          SnapshotBytes.restore(second, SnapshotBytes.of(first));
        }
      }
      cluster.heal();
      workers.forEach(worker -> worker.connection.setCut(false));
      loop.run(20_000);
      assertThat(SnapshotBytes.of(second)).isEqualTo(SnapshotBytes.of(first));
      Reader reader = new Reader(first);
      long calls = 0;
      for (Worker worker : workers) {
        calls += worker.check(reader, kinds);
      }
      assertThat(reader.count("total", "calls")).isEqualTo(calls);
      assertThat(sessionNewsRight).isTrue();
      kinds.merge("session ended", sessionsEnded, Integer::sum);
    }

    private void checkSessions() {
      for (Worker worker : workers) {
        SessionState state = worker.client.session();
        if (state.sessionId() != 0 && state.validUntilNanos() - loop.nowNanos() > 0) {
          assertThat(first.sessionAlive(state.sessionId())).isTrue();
        }
      }
    }

    private final class Worker {
      private final String name;
      private final SimulatedCluster.Connection connection = cluster.connect(4);
      private final BatchingStoreClient client;
      private final Map<String, Reply> replies = new HashMap<>();
      private final Set<String> called = new HashSet<>();
      private final Callbacks callbacks = new Callbacks();
      private int submitted;

      Worker(String name) {
        this.name = name;
        ClientOptions options = new ClientOptions(name, 2_000, 1_500, 100, TABLES);
        client = BatchingStoreClient.open(connection, options, loop::nowNanos, random::nextLong);
        client.onSessionChange(
            new SessionListener() {
              @Override
              public void opened(long sessionId) {
                sessionNewsRight &= client.session().sessionId() == sessionId;
              }

              @Override
              public void ended(long sessionId) {
                sessionNewsRight &= client.session().sessionId() == 0;
                sessionsEnded++;
              }
            });
      }

      void submit(int count) {
        for (int i = 0; i < count; i++) {
          String key = name + "-" + submitted++;
          boolean call = random.nextBoolean();
          if (call) {
            called.add(key);
          }
          Command command =
              !call
                  ? new Command.Increment("counts", Bytes.utf8(key), 1)
                  : new Command.Call("count", Bytes.utf8(key));
          callbacks.add(client.submit(command).thenAccept(reply -> replies.put(key, reply)));
        }
      }

      /** The number of calls that took effect. */
      long check(Reader reader, Map<String, Integer> kinds) {
        callbacks.check();
        assertThat(replies).hasSize(submitted);
        long calls = 0;
        for (Map.Entry<String, Reply> answered : replies.entrySet()) {
          long count = reader.count("counts", answered.getKey());
          calls += called.contains(answered.getKey()) ? count : 0;
          Reply reply = answered.getValue();
          if (reply instanceof Reply.Counter counter) {
            assertThat(counter.value()).isEqualTo(1);
            assertThat(count).as(answered.toString()).isEqualTo(1);
          } else if (reply instanceof Reply.Returned) {
            assertThat(count).as(answered.toString()).isEqualTo(1);
          } else if (reply instanceof Reply.Unknown) {
            assertThat(count).as(answered.toString()).isBetween(0L, 1L);
          } else {
            assertThat(reply).isInstanceOf(Reply.Rejected.class);
            assertThat(count).as(answered.toString()).isZero();
          }
          kinds.merge(kind(reply), 1, Integer::sum);
        }
        return calls;
      }
    }
  }

  private static String kind(Reply reply) {
    return reply.getClass().getSimpleName()
        + (reply instanceof Reply.Rejected rejected ? " " + rejected.reason() : "");
  }

  /** Reads a replica's counters when all is over. */
  private static final class Reader {
    private final StoreStateMachine replica;
    private final long session;
    private long operation;

    Reader(StoreStateMachine replica) {
      this.replica = replica;
      Command open = new Command.OpenSession(-1, "reader", 600_000);
      session = ((Reply.SessionOpened) ask(0, open)).sessionId();
    }

    long count(String table, String key) {
      Command read = new Command.Increment(table, Bytes.utf8(key), 0);
      return ((Reply.Counter) ask(session, read)).value();
    }

    private Reply ask(long sender, Command command) {
      Request.Operation asked = new Request.Operation(++operation, command);
      return replica.apply(0, new Request(sender, operation, List.of(asked))).replies().get(0);
    }
  }
}
