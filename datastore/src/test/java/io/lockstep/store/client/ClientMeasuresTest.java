package io.lockstep.store.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.ClientMeasures.Kind;
import io.lockstep.store.client.ClientMeasures.Result;
import io.lockstep.store.core.StoreStateMachine;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ClientMeasuresTest {
  private static final Bytes KEY = Bytes.utf8("k");
  private static final int CAPACITY = 50;

  private final SimulatedLoop loop = new SimulatedLoop();
  private final SimulatedCluster cluster =
      new SimulatedCluster(loop, new Random(1), List.of(new StoreStateMachine(List.of())));
  private final SimulatedCluster.Connection connection = cluster.connect(4);
  private final BatchingStoreClient client;

  ClientMeasuresTest() {
    cluster.heal();
    ClientOptions options =
        new ClientOptions("node", 3_000, 60_000, CAPACITY, Map.of("t", TableSpec.values()));
    client = BatchingStoreClient.open(connection, options, loop::nowNanos, () -> 1);
    loop.run(1_000);
  }

  private void run(Command command) {
    CompletableFuture<?> reply = client.submit(command);
    loop.run(500);
    assertThat(reply).isDone();
  }

  private long count(Kind kind, Result result) {
    return client.measures().count(kind, result);
  }

  @Test
  void operationsCountByKindAndOutcomeWithTheirTime() {
    run(new Command.Put("t", KEY, KEY));
    run(new Command.Get("t", KEY));
    run(new Command.PutIfAbsent("t", KEY, KEY));
    run(new Command.Put("unknown", KEY, KEY));
    assertThat(count(Kind.WRITE, Result.DONE)).isEqualTo(1);
    assertThat(count(Kind.READ, Result.DONE)).isEqualTo(1);
    assertThat(count(Kind.WRITE, Result.CONFLICT)).isEqualTo(1);
    assertThat(count(Kind.WRITE, Result.REJECTED)).isEqualTo(1);
    assertThat(client.measures().durations(Kind.WRITE).count()).isEqualTo(3);
    assertThat(client.measures().durations(Kind.READ).count()).isEqualTo(1);
    assertThat(client.measures().durations(Kind.WRITE).sumSeconds()).isBetween(1e-6, 1.5);
  }

  @Test
  void whatWasNotSentHasNoDurationAndWhatWaitsIsShown() {
    connection.setCut(true);
    for (int i = 0; i < 2 * CAPACITY; i++) {
      CompletableFuture<?> reply = client.submit(new Command.Put("t", KEY, KEY));
      assertThat(reply.isDone()).isEqualTo(i >= CAPACITY);
    }
    assertThat(count(Kind.WRITE, Result.NOT_SENT)).isEqualTo(CAPACITY);
    assertThat(client.measures().durations(Kind.WRITE).count()).isZero();
    assertThat(client.measures().load().waiting()).isEqualTo(CAPACITY);
    assertThat(client.measures().load().waitingBytes()).isPositive();
  }
}
