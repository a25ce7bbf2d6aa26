package io.lockstep.history.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.check.Violation;
import io.lockstep.history.load.Progress;
import io.lockstep.history.load.Tables;
import io.lockstep.history.mixed.Step;
import io.lockstep.history.mixed.Step.Op;
import io.lockstep.history.mixed.check.MixedChecker;
import io.lockstep.history.mixed.file.MixedReader;
import io.lockstep.history.mixed.file.MixedWriter;
import io.lockstep.history.mixed.load.MixedLoad;
import io.lockstep.history.mixed.load.MixedTables;
import io.lockstep.history.mixed.load.StepRecorder;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.engine.local.LocalEngine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The mixed load of a run against a store in this process: the checker knows a broken one. */
@Timeout(300)
class BrokenMixedServiceTest {
  private static final int LINES = 3_000;
  private static final int USUAL_MILLIS = 10_000;
  private static final int LARGEST_BYTES = 40_000;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"HALF_BATCHES,ATOMICITY", "MIXED_SCANS,SCAN", "FENCED_WRITES,FENCING"})
  void aBrokenStoreIsCaught(Breakage breakage, String what) throws Exception {
    List<Violation> violations = MixedChecker.violations(steps(breakage));
    assertThat(violations).anyMatch(violation -> violation.summary().startsWith(what));
  }

  @Test
  void aSoundStoreIsNot() throws Exception {
    List<Step> steps = steps(Breakage.NONE);
    assertThat(MixedChecker.violations(steps)).isEmpty();
    // What the checker is to judge did come up.
    for (Op op : Op.values()) {
      assertThat(steps).anyMatch(step -> step.op() == op && step.outcome() == Outcome.OK);
    }
    assertThat(steps)
        .anyMatch(step -> step.op() == Op.GUARDED_WRITE && step.outcome() == Outcome.FAILED)
        .anyMatch(step -> step.op() == Op.BATCH && step.outcome() == Outcome.FAILED)
        .anyMatch(step -> step.reads().stream().anyMatch(seen -> text(seen).contains("*")));
  }

  private static String text(Step.ReadEntry seen) {
    return String.valueOf(seen.value());
  }

  private List<Step> steps(Breakage breakage) throws Exception {
    Path file = directory.resolve("mixed.jsonl");
    AtomicLong clock = new AtomicLong();
    List<BatchingStoreClient> opened = new ArrayList<>();
    try (MixedWriter writer = new MixedWriter(file);
        LocalEngine engine = LocalEngine.start(ReplicaServer.service(breakage))) {
      MixedLoad.Opener opener =
          (owner, timeToLiveMillis, way) -> {
            BatchingStoreClient client =
                BatchingStoreClient.open(
                    way.apply(engine.connect(64)),
                    ClientOptions.of(owner).withTimeToLiveMillis(timeToLiveMillis),
                    System::nanoTime,
                    new Random()::nextLong);
            opened.add(client);
            return client;
          };
      BatchingStoreClient setup = opener.open("setup", USUAL_MILLIS, way -> way);
      Tables.declare(setup, MixedTables.ALL);
      StepRecorder recorder = new StepRecorder(writer, clock::incrementAndGet, LINES);
      MixedLoad load =
          new MixedLoad(recorder, opener, USUAL_MILLIS, LARGEST_BYTES, () -> true, new Random(1));
      load.start();
      for (Progress client : load.all()) {
        client.ended().get(240, TimeUnit.SECONDS);
      }
      load.stop();
      load.audit(setup);
      opened.forEach(BatchingStoreClient::close);
    }
    return MixedReader.read(file);
  }
}
