package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.host.PingResult;
import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.OneNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A host is plugged into another switch while another one talks to it. What it announces there is
 * lost, since the new port is in quarantine for 600 ms; after that it only answers. The tests
 * mostly wait for links, so they run at once.
 */
@Execution(ExecutionMode.CONCURRENT)
class SilentHostMoveIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /**
   * The quarantine of a new port takes 600 ms. Without a search the host is found when the other
   * one asks for its address anew, after up to a minute.
   */
  private static final long REACHABLE_MILLIS = 20_000;

  @ParameterizedTest
  @CsvSource({
    "OPENFLOW_13, s1",
    "OPENFLOW_10, s1",
    "OPENFLOW_13, s2",
    "OPENFLOW_10, s2",
    "OPENFLOW_13, s3",
    "OPENFLOW_10, s3"
  })
  void hostIsReachableSoon(Protocol protocol, String to) throws IOException {
    try (OneNode node = OneNode.start();
        EmulatedNetwork network =
            EmulatedNetwork.start(
                Topologies.ring(3, 1).speaking(protocol, one -> true), List.of(node.address()))) {
      Await.until(
          "every host reaches every other",
          PATIENCE,
          () ->
              network.pingAll(Duration.ofSeconds(2)).join().stream().allMatch(PingResult::complete),
          () -> "");
      ping(network, Duration.ofSeconds(10));

      network.moveHost("h1", to, 77);
      long fromNanos = System.nanoTime();
      Await.until(
          "h1 is reached at " + to,
          PATIENCE,
          () -> ping(network, Duration.ofMillis(100)),
          () -> String.valueOf(node.status()));
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - fromNanos);
      System.out.printf("%s: reached at %s after %d ms%n", protocol, to, millis);
      assertThat(millis).isLessThan(REACHABLE_MILLIS);
    }
  }

  private static boolean ping(EmulatedNetwork network, Duration timeout) {
    return network.ping("h3", "h1", timeout).join().complete();
  }
}
