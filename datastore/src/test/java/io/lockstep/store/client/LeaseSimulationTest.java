package io.lockstep.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient.SessionState;
import io.lockstep.store.TableSpec;
import io.lockstep.store.core.StoreStateMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * A client that is sure of its session is right (docs/adr/0015): whoever leads, whatever the wall
 * clocks say, with monotonic clocks of which none runs more than 2 % faster than another, and with
 * answers, proposals and decisions that come late or never. And a silent session ends in time.
 */
class LeaseSimulationTest {
  private static final int SCHEDULES = 300;
  private static final double DRIFT = 0.02;
  private static final int LOOK_MILLIS = 3;

  /** What an idle cluster and the clocks may add to a lease before a silent session has ended. */
  private static final int SLACK_MILLIS = 700;

  private static final Map<String, TableSpec> TABLES = Map.of("t", TableSpec.values());

  @Test
  void whoIsSureOfItsSessionIsRightAndSilentSessionsEnd() {
    Map<String, Integer> seen = new TreeMap<>();
    SimulationSeeds.forEach(SCHEDULES, seed -> new Schedule(seed).run(seen));
    if (!SimulationSeeds.chosen()) {
      assertThat(seen).containsKeys("sure", "unsure and alive", "ended", "leader change", "cut");
    }
  }

  private static final class Schedule {
    private final Random random;
    private final SimulatedLoop loop = new SimulatedLoop();
    private final StoreStateMachine machine = new StoreStateMachine(List.of());
    private final SimulatedCluster cluster;
    private final List<Client> clients = new ArrayList<>();
    private final Map<String, Integer> seen = new TreeMap<>();

    Schedule(long seed) {
      random = new Random(seed);
      cluster = new SimulatedCluster(loop, random, List.of(machine));
      cluster.leaders().setRates(id -> rate());
      for (int id = 0; id < 3; id++) {
        cluster.leaders().setWallClock(id, random.nextInt(100_000_000));
      }
      for (int id = 0; id < 4; id++) {
        clients.add(new Client("c" + id, 500 + random.nextInt(4_000)));
      }
    }

    /** Often at the ends of what is allowed. */
    private double rate() {
      return switch (random.nextInt(3)) {
        case 0 -> 1;
        case 1 -> 1 + DRIFT;
        default -> 1 + DRIFT * random.nextDouble();
      };
    }

    void run(Map<String, Integer> all) {
      cluster.afterEachBatch(this::look);
      for (int step = 0; step < 100; step++) {
        Client one = clients.get(random.nextInt(clients.size()));
        switch (random.nextInt(8)) {
          case 0, 1 -> {
            cluster.leaders().change();
            saw("leader change");
          }
          case 2 -> one.connection.setCut(true);
          case 3 -> clients.forEach(client -> client.connection.setCut(false));
          case 4 -> cluster.setQuorum(random.nextInt(4) > 0);
          default -> one.increment();
        }
        pass(random.nextInt(400));
      }
      cluster.heal();
      clients.forEach(client -> client.connection.setCut(false));
      pass(5_000);
      silence();
      clients.forEach(Client::checkReplies);
      seen.forEach((what, count) -> all.merge(what, count, Integer::sum));
    }

    private void pass(int millis) {
      for (int passed = 0; passed < millis; passed += LOOK_MILLIS) {
        loop.run(LOOK_MILLIS);
        look();
      }
    }

    private void look() {
      for (Client client : clients) {
        SessionState state = client.client.session();
        boolean alive = machine.sessionAlive(state.sessionId());
        boolean sure = state.sessionId() != 0 && state.validUntilNanos() - client.nowNanos() > 0;
        assertThat(alive || !sure)
            .as("%s is sure of its session at %s", client.name, loop.nowNanos())
            .isTrue();
        saw(sure ? "sure" : alive ? "unsure and alive" : "ended");
      }
    }

    /** One client falls silent, and leaders change every 300 ms while the others go on. */
    private void silence() {
      Client silent = clients.get(0);
      Client lively = clients.get(1);
      long session = silent.client.session().sessionId();
      assertThat(machine.sessionAlive(session)).isTrue();
      silent.connection.setCut(true);
      saw("cut");
      long most = (long) (silent.leaseMillis * (1 + DRIFT)) + SLACK_MILLIS;
      for (int millis = 0; millis < most; millis += 50) {
        if (millis % 300 == 0) {
          cluster.leaders().change();
        }
        lively.increment();
        pass(50);
      }
      assertThat(machine.sessionAlive(session)).as("silent for %s ms", most).isFalse();
    }

    private void saw(String what) {
      seen.merge(what, 1, Integer::sum);
    }

    private final class Client {
      private final String name;
      private final int leaseMillis;
      private final double rate = rate();
      private final long beginNanos = random.nextLong() >> 16;
      private final SimulatedCluster.Connection connection = cluster.connect(4);
      private final BatchingStoreClient client;
      private final List<CompletableFuture<Reply>> replies = new ArrayList<>();

      Client(String name, int leaseMillis) {
        this.name = name;
        this.leaseMillis = leaseMillis;
        ClientOptions options = new ClientOptions(name, leaseMillis, 1_500, 100, TABLES);
        client = BatchingStoreClient.open(connection, options, this::nowNanos, random::nextLong);
      }

      long nowNanos() {
        return beginNanos + (long) (loop.nowNanos() * rate);
      }

      void increment() {
        replies.add(client.submit(new Command.Increment("t", Bytes.utf8(name), 1)));
      }

      /** The counter is this client's alone, so each acknowledged write shows a higher sum. */
      void checkReplies() {
        assertThat(
                replies.stream()
                    .filter(CompletableFuture::isDone)
                    .map(CompletableFuture::join)
                    .filter(Reply.Counter.class::isInstance)
                    .map(reply -> ((Reply.Counter) reply).value()))
            .as("the sums that %s was given", name)
            .doesNotHaveDuplicates();
      }
    }
  }
}
