package io.lockstep.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The workloads that peers are asked, on the peers' state machine, in one thread. */
class WorkloadsTest {
  private final TableMachine machine = new TableMachine();

  static Stream<Arguments> peerPlans() {
    return Stream.of("ls-ucast", "lb-vip", "dm-known", "dm-unknown", "ls-bcast", "lb-arp")
        .flatMap(
            workload ->
                Workloads.variants(workload).stream()
                    .filter(List.of("init", "micro")::contains)
                    .map(variant -> Arguments.of(workload, variant)));
  }

  private Answer apply(Operation operation) {
    return OperationCodec.answer(ByteBuffer.wrap(OperationCodec.encode(machine.apply(operation))));
  }

  /** Every flow's operations, each sent after the answer to the one before. */
  private List<Operation> run(FlowPlan plan, long number) {
    List<Operation> asked = new ArrayList<>();
    Step step = plan.first(number);
    while (step != null) {
      asked.add(step.operation());
      step = step.next().apply(apply(step.operation()));
    }
    return asked;
  }

  @ParameterizedTest
  @MethodSource("peerPlans")
  void everyFlowFindsWhatItNeeds(String workload, String variant) {
    FlowPlan plan = Workloads.plan(workload, variant);
    plan.preparation().forEach(this::apply);
    int operations = run(plan, 0).size();
    for (long number = 1; number < 3000; number++) {
      assertThat(run(plan, number)).hasSize(operations);
    }
  }

  /** Table I of the paper: how many operations each flow has. */
  @Test
  void flowsHaveAsManyOperationsAsInThePaper() {
    assertThat(sizes("init")).containsExactly(2, 5, 5, 8);
    assertThat(sizes("micro")).containsExactly(1, 2, 2, 2);
  }

  private List<Integer> sizes(String variant) {
    return Stream.of("ls-ucast", "lb-vip", "dm-known", "dm-unknown")
        .map(
            workload -> {
              FlowPlan plan = Workloads.plan(workload, variant);
              plan.preparation().forEach(this::apply);
              return run(plan, 0).size();
            })
        .toList();
  }

  @ParameterizedTest
  @MethodSource("peerPlans")
  void aFlowWithoutItsDataFails(String workload, String variant) {
    if (workload.equals("ls-bcast")) {
      return;
    }
    FlowPlan plan = Workloads.plan(workload, variant);
    if (workload.equals("dm-known") || workload.equals("dm-unknown")) {
      // Their first read finds nothing, which is an answer, in micro.
      return;
    }
    assertThatThrownBy(() -> run(plan, 0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aFailedReplaceIsNotRepeated() {
    FlowPlan plan = Workloads.plan("lb-vip", "init");
    plan.preparation().forEach(this::apply);
    List<Operation> asked = new ArrayList<>();
    int failed = 0;
    Step step = plan.first(0);
    while (step != null) {
      asked.add(step.operation());
      if (step.operation() instanceof Operation.ReplaceValue replace) {
        apply(new Operation.Put(replace.table(), replace.key(), Values.of(99, 363)));
      }
      Answer answer = apply(step.operation());
      if (step.operation().isReplace() && !answer.done()) {
        failed++;
      }
      step = step.next().apply(answer);
    }
    assertThat(failed).isEqualTo(1);
    assertThat(asked).hasSize(5);
  }

  @ParameterizedTest
  @MethodSource("peerPlans")
  void operationsSurviveTheirBytes(String workload, String variant) {
    FlowPlan plan = Workloads.plan(workload, variant);
    plan.preparation().forEach(this::apply);
    for (Operation operation : run(plan, 7)) {
      byte[] bytes = OperationCodec.encode(operation);
      Operation read = OperationCodec.decode(ByteBuffer.wrap(bytes));
      assertThat(OperationCodec.encode(read)).isEqualTo(bytes);
      assertThat(read).hasSameClassAs(operation);
    }
  }

  @Test
  void anUnknownWorkloadIsRefused() {
    assertThatThrownBy(() -> Workloads.plan("ls-ucast", "cols"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(Workloads.variants("nonsense")).isEmpty();
  }
}
