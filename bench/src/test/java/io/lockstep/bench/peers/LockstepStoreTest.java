package io.lockstep.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lockstep.apps.Applications;
import io.lockstep.bench.compare.Answer;
import io.lockstep.bench.compare.FlowPlan;
import io.lockstep.bench.compare.Operation;
import io.lockstep.bench.compare.Step;
import io.lockstep.bench.compare.Workloads;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.codec.ResponseEncoder;
import io.lockstep.store.engine.local.LocalEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The workloads on our store, ordered by one thread. */
class LockstepStoreTest {
  private static final int SLACK_BYTES = 10;
  private static final double SLACK = 0.03;

  private final LocalEngine engine = LocalEngine.start(LockstepAdapter.stateMachine());
  private final BatchingStoreClient client =
      BatchingStoreClient.open(
          engine.connect(16),
          ClientOptions.of("test").withTimeToLiveMillis(60_000).withTables(Applications.tables()),
          System::nanoTime,
          new Random(1)::nextLong);
  private final LockstepStore store = new LockstepStore(client, System::nanoTime);

  @AfterEach
  void close() {
    store.close();
    engine.close();
  }

  private static <T> T await(CompletableFuture<T> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  private FlowPlan prepared(String workload, String variant) throws Exception {
    FlowPlan plan = Workloads.plan(workload, variant);
    await(store.declare(plan.tables()));
    for (Operation operation : plan.preparation()) {
      await(store.submit(operation));
    }
    return plan;
  }

  private static int bytes(Command command) {
    ByteWriter out = new ByteWriter(256);
    RequestEncoder.operation(out, 1, command);
    return out.toArray().length;
  }

  private static int bytes(Reply reply) {
    ByteWriter out = new ByteWriter(256);
    ResponseEncoder.reply(out, reply);
    return out.toArray().length;
  }

  /**
   * Tables I and II of the paper, in bytes: request and reply of each operation, without the
   * envelope. The learning switch with a cache has no put, as its source is known; the two devices
   * are read one by one.
   */
  @ParameterizedTest
  @CsvSource({
    "ls-bcast, init, 113 1",
    "ls-ucast, init, 113 1 36 77",
    "ls-ucast, micro, 56 6",
    "ls-ucast, cache, 27 6 27 6",
    "lb-arp, init, 104 8 29 509",
    "lb-arp, cref, 104 509",
    "lb-arp, vers, 104 513",
    "lb-arp, cols, 62 324",
    "lb-vip, init, 104 8 29 509 30 369 772 1 32 221",
    "lb-vip, cref, 104 509 30 369 772 1 32 221",
    "lb-vip, vers, 104 513 30 373 403 1 32 225",
    "lb-vip, cols, 62 324 30 373 403 1 44 4",
    "lb-vip, micro, 62 324 11 4",
    "lb-vip, cache, 62 324 21 4",
    "dm-known, init, 408 8 26 1444 2942 0 408 8 26 1369",
    "dm-known, cref, 408 1274 2602 0 408 1199",
    "dm-known, vers, 408 1278 1316 1 408 1203",
    "dm-known, cols, 486 1261 667 1 416 474",
    "dm-known, micro, 28 1414 36 0",
    "dm-known, cache, 14 707 14 707 36 0",
    "dm-unknown, init, 408 0 21 4 1395 1 416 0 386 0 517 0 408 8 26 1378",
    "dm-unknown, cref, 408 0 21 4 1225 1 416 0 386 0 517 0 408 1208",
    "dm-unknown, vers, 408 0 21 4 1225 1 416 0 386 0 517 0 408 1212",
    "dm-unknown, cols, 486 0 21 4 1183 1 416 0 386 0 517 0 416 474",
    "dm-unknown, micro, 28 201 476 8"
  })
  void sizesAreAboutThoseOfThePaper(String workload, String variant, String sizes)
      throws Exception {
    FlowPlan plan = prepared(workload, variant);
    List<Integer> asked = new ArrayList<>();
    Step step = plan.first(5);
    while (step != null) {
      Command command = store.command(step.operation());
      Reply reply = await(client.submit(command));
      asked.add(bytes(command));
      asked.add(bytes(reply));
      step = step.next().apply(LockstepStore.answer(step.operation(), command, reply));
    }
    List<Integer> wanted = List.of(sizes.split(" ")).stream().map(Integer::valueOf).toList();
    assertThat(asked).hasSameSizeAs(wanted);
    for (int i = 0; i < wanted.size(); i++) {
      int slack = (int) Math.max(SLACK_BYTES, SLACK * wanted.get(i));
      assertThat(asked.get(i))
          .as("size %d of %s", i, asked)
          .isCloseTo(wanted.get(i), within(slack));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ls-ucast, init",
    "ls-ucast, micro",
    "ls-ucast, cache",
    "lb-vip, init",
    "lb-vip, cref",
    "lb-vip, vers",
    "lb-vip, cols",
    "lb-vip, micro",
    "lb-vip, cache",
    "dm-known, init",
    "dm-known, cref",
    "dm-known, vers",
    "dm-known, cols",
    "dm-known, micro",
    "dm-known, cache",
    "dm-unknown, init",
    "dm-unknown, cref",
    "dm-unknown, vers",
    "dm-unknown, cols",
    "dm-unknown, micro"
  })
  void everyFlowFindsWhatItNeedsAndNoReplaceFailsWithoutRivals(String workload, String variant)
      throws Exception {
    FlowPlan plan = prepared(workload, variant);
    for (long number = 0; number < 300; number++) {
      Step step = plan.first(number);
      while (step != null) {
        Answer answer = await(store.submit(step.operation()));
        assertThat(answer.done() || !step.operation().isReplace()).isTrue();
        step = step.next().apply(answer);
      }
    }
  }
}
