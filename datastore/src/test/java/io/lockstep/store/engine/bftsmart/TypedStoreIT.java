package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.FailedException;
import io.lockstep.store.typed.Failure;
import io.lockstep.store.typed.Failure.Cause;
import io.lockstep.store.typed.ReadResult.NotRead;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.StoreAddress;
import io.lockstep.store.typed.TableDef;
import io.lockstep.store.typed.Tally;
import io.lockstep.store.typed.TallyRead;
import io.lockstep.store.typed.TypedTable;
import io.lockstep.store.typed.Versioned;
import io.lockstep.store.typed.WriteOutcome;
import io.lockstep.store.typed.WriteOutcome.Unknown;
import io.lockstep.store.typed.WriteResult;
import io.lockstep.store.typed.WriteResult.Done;
import io.lockstep.store.typed.WriteResult.NotDone;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The typed store on three replicas: while one is dead, and while no quorum is left. */
@Timeout(240)
class TypedStoreIT {
  private static final TableDef<String, Long> COUNTS =
      TableDef.of("counts", Codec.utf8(), Codec.int64());
  private static final Duration SHORT = Duration.ofSeconds(1);

  private static <T> T ended(CompletableFuture<T> future) {
    return future.orTimeout(60, TimeUnit.SECONDS).join();
  }

  private static Versioned<Long> count(TypedTable<String, Long> table) {
    return ended(table.get("c")).orThrow().orElseThrow();
  }

  @Test
  void anUnknownOutcomeIsNoFailureAndACompareAndSetSettlesIt() throws Exception {
    try (ReplicaCluster cluster = new ReplicaCluster().of(ReplicaMain.STORE)) {
      cluster.startAll();
      cluster.awaitAllOperational();
      String address = new StoreAddress(ReplicaCluster.NAME, cluster.members()).toString();
      try (Store store = Store.open(address, 7, COUNTS)) {
        TypedTable<String, Long> table = store.table(COUNTS);
        ended(table.put("c", 0L)).throwWhenUnknown().orThrow();

        int dead = cluster.follower();
        cluster.kill(dead);
        for (long next = 1; next <= 20; next++) {
          Versioned<Long> seen = count(table);
          assertThat(seen.value()).isEqualTo(next - 1);
          ended(table.replace("c", seen.version(), next)).throwWhenUnknown().orThrow();
        }

        int leader = cluster.leader();
        int other = 3 - dead - leader;
        Versioned<Long> before = count(table);
        cluster.signal(other, "STOP");
        WriteOutcome<Long> doubtful =
            ended(table.within(SHORT).replace("c", before.version(), 21L));
        assertThat(doubtful).isInstanceOf(Unknown.class);
        Assertions.assertThatThrownBy(() -> ended(table.within(SHORT).get("c")).orThrow())
            .isInstanceOf(FailedException.class)
            .hasMessageContainingAll("NO_ANSWER", "table \"counts\"");
        cluster.signal(other, "CONT");
        cluster.awaitOperational(leader, other);

        // The same again, under the same version: at most one of the two takes effect.
        WriteResult<Long> again =
            ended(table.replace("c", before.version(), 21L)).throwWhenUnknown();
        long version =
            again.<Long>fold(
                done -> done,
                conflict -> table.value(conflict.present().orElseThrow()).orThrow().version(),
                failure -> {
                  throw failure.exception();
                });
        assertThat(count(table)).isEqualTo(new Versioned<>(21L, version));
      }
    }
  }

  private static Failure refused(String component) {
    return new Failure(
        Cause.COMPONENT_REFUSED,
        "component \"" + component + "\": a name is needed",
        "a name is needed");
  }

  @Test
  void aComponentIsCalledAndQueriedAndRefusesInItsOwnWords() throws Exception {
    try (ReplicaCluster cluster = new ReplicaCluster().of(ReplicaMain.STORE_WITH_TALLY)) {
      cluster.startAll();
      cluster.awaitAllOperational();
      String address = new StoreAddress(ReplicaCluster.NAME, cluster.members()).toString();
      try (Store store = Store.open(address, 7, Tally.TABLE)) {
        assertThat(ended(store.query(TallyRead.COMPONENT, "a")).orThrow()).isZero();
        for (long next = 1; next <= 20; next++) {
          if (next == 10) {
            cluster.kill(cluster.follower());
          }
          assertThat(ended(store.call(Tally.COMPONENT, "a")))
              .isEqualTo(new WriteOutcome.Known<>(new Done<>(next)));
          assertThat(ended(store.query(TallyRead.COMPONENT, "a")).orThrow()).isEqualTo(next);
        }

        assertThat(ended(store.call(Tally.COMPONENT, "")))
            .isEqualTo(new WriteOutcome.Known<>(new NotDone<>(refused(Tally.NAME))));
        assertThat(ended(store.query(TallyRead.COMPONENT, "")))
            .isEqualTo(new NotRead<>(refused(TallyRead.COMPONENT.name())));
        assertThat(ended(store.table(Tally.TABLE).page(10)).orThrow().readable())
            .as("what a refused call wrote")
            .containsOnlyKeys("a");
      }
    }
  }
}
