package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.FailedException;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.StoreAddress;
import io.lockstep.store.typed.TableDef;
import io.lockstep.store.typed.TypedTable;
import io.lockstep.store.typed.Versioned;
import io.lockstep.store.typed.WriteOutcome;
import io.lockstep.store.typed.WriteOutcome.Unknown;
import io.lockstep.store.typed.WriteResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The typed store on three replicas: one dies, then no quorum is left, then there is one again. */
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
}
