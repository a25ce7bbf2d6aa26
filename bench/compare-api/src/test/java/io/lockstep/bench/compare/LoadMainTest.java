package io.lockstep.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the load process answers to its lines. */
class LoadMainTest {
  private final TableMachine machine = new TableMachine();
  private boolean failing;

  private final PeerStore store =
      new PeerStore() {
        @Override
        public CompletableFuture<Void> declare(List<TableLayout> tables) {
          return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Answer> submit(Operation operation) {
          return failing && !(operation instanceof Operation.Put)
              ? CompletableFuture.failedFuture(new IllegalStateException("no quorum"))
              : CompletableFuture.completedFuture(machine.apply(operation));
        }

        @Override
        public void close() {}
      };

  private List<String> serve(String lines) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LoadMain.serve(
        new Load(store),
        new BufferedReader(new StringReader(lines)),
        new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void aPointIsMarkedAndAnswered() throws Exception {
    List<String> lines = serve("lb-vip micro 4 0 500\n");
    assertThat(lines).hasSize(3).startsWith("begin", "end");
    assertThat(lines.get(2)).startsWith("point ");
    assertThat(Measured.parse(lines.get(2).substring(6)).flows()).isPositive();
  }

  @Test
  void aWindowInWhichNothingEndedIsNoResult() throws Exception {
    assertThat(serve("lb-vip micro 4 0 0\n")).last().asString().startsWith("failed no flow ended");
  }

  @Test
  void aFailureIsToldWithItsReason() throws Exception {
    failing = true;
    List<String> lines = serve("lb-vip micro 4 0 500\n");
    assertThat(lines).last().asString().startsWith("failed ").contains("no quorum");
  }
}
