package io.lockstep.bench.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.lockstep.apps.Applications;
import io.lockstep.bench.measure.Figures;
import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.process.CpuMeter;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.codec.ResponseEncoder;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The workloads on the store itself, ordered by one thread. */
class WorkloadsTest {
  private final LocalEngine engine =
      LocalEngine.start(new StoreStateMachine(Applications.microComponents()));
  private final BatchingStoreClient client =
      BatchingStoreClient.open(
          engine.connect(16),
          ClientOptions.of("test").withTimeToLiveMillis(60_000).withTables(Workloads.tables()),
          System::nanoTime,
          new Random(1)::nextLong);
  private final StoreLoad load = new StoreLoad(client, new CpuMeter(List.of()));

  @AfterEach
  void close() {
    client.close();
    engine.close();
  }

  private Reply submit(Command command) throws Exception {
    return client.submit(command).get(60, TimeUnit.SECONDS);
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

  @ParameterizedTest
  @ValueSource(strings = {"put", "get", "ls-ucast-init", "ls-ucast-micro"})
  void everyFlowAnswersWhatItShould(String name) throws Exception {
    Workload workload = requireNonNull(Workloads.named(name));
    load.prepare(workload);
    for (long number = 0; number < 3000; number++) {
      assertThat(workload.flow(client, number).get(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"get", "ls-ucast-micro"})
  void aFlowWhoseHostIsNotThereFails(String name) throws Exception {
    Workload workload = requireNonNull(Workloads.named(name));
    assertThat(workload.flow(client, 0).get(60, TimeUnit.SECONDS)).isFalse();
  }

  /** Table II of the paper, in bytes: request and reply, without the envelope of the batch. */
  @ParameterizedTest
  @CsvSource({"put, 113, 1, 7", "get, 36, 77, 7", "ls-ucast-micro, 56, 6, 8"})
  void sizesAreAboutThoseOfThePaper(String name, int request, int reply, int slack)
      throws Exception {
    load.prepare(requireNonNull(Workloads.named(name)));
    Command command =
        switch (name) {
          case "put" -> new EntryWorkload(true, false).preparation().get(0);
          case "get" -> {
            Command.Put put = (Command.Put) new EntryWorkload(true, false).preparation().get(0);
            yield new Command.Get(put.table(), put.key());
          }
          default -> new ForwardWorkload().preparation().get(0);
        };
    assertThat(bytes(command)).isCloseTo(request, within(slack));
    assertThat(bytes(submit(command))).isCloseTo(reply, within(slack));
  }

  @Test
  void everyMicroFlowWrites() throws Exception {
    ForwardWorkload workload = new ForwardWorkload();
    load.prepare(workload);
    for (int round = 0; round < 2; round++) {
      for (Command command : workload.preparation()) {
        assertThat(ForwardWorkload.isWritten(submit(command))).isTrue();
      }
    }
  }

  @Test
  void aClosedLoopIsMeasured() throws Exception {
    Workload workload = requireNonNull(Workloads.named("ls-ucast-init"));
    load.prepare(workload);
    StorePoint point = measured(workload);
    // A machine that has no time for this test may answer nothing within the second.
    for (int more = 0; more < 60 && point.flows().answered() == 0; more++) {
      point = measured(workload);
    }
    Figures flows = point.flows();
    assertThat(flows.inFlight()).isEqualTo(8);
    assertThat(flows.lost()).isZero();
    assertThat(flows.answered()).isPositive();
    assertThat(flows.sent()).isCloseTo(flows.answered(), within(8L));
    assertThat(flows.answeredBySecond()).containsExactly(flows.answered());
    assertThat(point.cpuPerFlow().serverCpuMicros()).isNull();
    assertThat(point.cpuPerFlow().clientCpuMicros()).isPositive();
  }

  private StorePoint measured(Workload workload) throws Exception {
    return load.measure("ls-ucast-init", workload, 8, new Schedule(100, 1000, 1000));
  }

  @Test
  void refusedFlowsAreLostAndTheLoopEnds() throws Exception {
    client.close();
    Workload workload = requireNonNull(Workloads.named("put"));
    LocalEngine other = LocalEngine.start(new StoreStateMachine(List.of()));
    try {
      WorkloadLoop loop =
          new WorkloadLoop(
              workload,
              client,
              other.connect(1).loop(),
              System::nanoTime,
              4,
              new Schedule(0, 1000, 1000));
      loop.start().get(60, TimeUnit.SECONDS);
      Figures flows = loop.window().figures(4);
      assertThat(flows.answered()).isZero();
      assertThat(flows.lost()).isEqualTo(flows.sent()).isPositive();
    } finally {
      other.close();
    }
  }

  @Test
  void aFlowThatThrowsEndsTheLoopWithItsFailure() {
    Workload throwing =
        new Workload() {
          @Override
          public List<Command> preparation() {
            return List.of();
          }

          @Override
          public CompletableFuture<Boolean> flow(StoreClient store, long number) {
            if (number == 3) {
              throw new IllegalStateException("broken");
            }
            return CompletableFuture.completedFuture(true);
          }
        };
    Schedule schedule = new Schedule(0, 60_000, 1000);
    WorkloadLoop loop =
        new WorkloadLoop(throwing, client, Runnable::run, System::nanoTime, 1, schedule);
    assertThatThrownBy(() -> loop.start().join()).hasRootCauseMessage("broken");
  }
}
