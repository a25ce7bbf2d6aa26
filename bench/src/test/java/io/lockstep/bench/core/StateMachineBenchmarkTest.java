package io.lockstep.bench.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Reply;
import io.lockstep.store.codec.Response;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is timed is what it says: every operation is carried out. */
class StateMachineBenchmarkTest {
  @ParameterizedTest
  @CsvSource({"put, Applied", "get, Found", "ls-ucast-micro, Returned"})
  void everyOperationIsCarriedOut(String operation, String reply) {
    StateMachineBenchmark benchmark = new StateMachineBenchmark();
    benchmark.operation = operation;
    benchmark.fill();
    for (int i = 0; i < 100; i++) {
      Response response = benchmark.applyBatch();
      assertThat(response.status()).isEqualTo(Response.Status.OK);
      assertThat(response.replies())
          .hasSize(StateMachineBenchmark.BATCH)
          .extracting(Reply::getClass)
          .extracting(Class::getSimpleName)
          .containsOnly(reply);
    }
  }
}
