package io.lockstep.history.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.history.check.HistoryChecker;
import io.lockstep.history.check.Operation;
import io.lockstep.history.file.HistoryReader;
import io.lockstep.history.file.HistoryWriter;
import io.lockstep.history.load.KeyRing;
import io.lockstep.history.load.LineBudget;
import io.lockstep.history.load.LoadClient;
import io.lockstep.history.load.Pace;
import io.lockstep.history.load.Recorder;
import io.lockstep.history.load.Tables;
import io.lockstep.history.load.WriteStalls;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.engine.local.LocalEngine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The load of a run against a store in this process: the checker knows a broken one. */
@Timeout(300)
class BrokenServiceTest {
  private static final int LINES = 4_000;
  private static final int CLIENTS = 8;
  private static final int HIGH_PACE = 1_000_000;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(
      value = Breakage.class,
      names = {"STALE_READS", "LOST_WRITES", "DOUBLE_APPLY"})
  void aBrokenStoreIsCaught(Breakage breakage) throws Exception {
    assertThat(check(breakage).violations()).isNotEmpty();
  }

  @Test
  void aSoundStoreIsNot() throws Exception {
    assertThat(check(Breakage.NONE).violations()).isEmpty();
  }

  private HistoryChecker.Report check(Breakage breakage) throws Exception {
    Path file = directory.resolve("history.jsonl");
    AtomicLong clock = new AtomicLong();
    LineBudget lines = new LineBudget(LINES);
    KeyRing keys = new KeyRing(3, 2, 500, lines);
    try (HistoryWriter writer = new HistoryWriter(file);
        LocalEngine engine = LocalEngine.start(ReplicaServer.service(breakage));
        BatchingStoreClient client =
            BatchingStoreClient.open(
                engine.connect(64),
                ClientOptions.of("test").withTimeToLiveMillis(60_000),
                System::nanoTime,
                new Random(1)::nextLong)) {
      Tables.declare(client);
      Recorder recorder = new Recorder(writer, new WriteStalls(), clock::incrementAndGet);
      Pace pace = new Pace(System::nanoTime, HIGH_PACE, lines);
      List<LoadClient> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        String name = Integer.toString(i);
        clients.add(new LoadClient(name, client, keys, pace, recorder, new Random(i)));
      }
      clients.forEach(LoadClient::start);
      for (LoadClient one : clients) {
        one.ended().get(240, TimeUnit.SECONDS);
      }
    }
    List<Operation> operations = HistoryReader.read(file);
    assertThat(operations).hasSize(LINES - keys.all().size());
    ExecutorService workers = Executors.newFixedThreadPool(2);
    try {
      return HistoryChecker.check(operations, workers);
    } finally {
      workers.shutdownNow();
    }
  }
}
