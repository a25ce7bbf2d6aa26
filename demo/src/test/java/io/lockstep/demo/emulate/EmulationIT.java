package io.lockstep.demo.emulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.dataplane.topology.Topology;
import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.Await;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The emulation before controllers that refuse, talk nonsense, die and return. */
class EmulationIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Topology RING = Topologies.ring(20, 1);
  private static final byte[] GARBAGE = {4, 10, 0, 3, 99, 99, 99, 99};

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private static PrintStream to(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private String progress() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private Emulation emulation(
      Topology topology, Emulation.Settings settings, List<InetSocketAddress> controllers) {
    return new Emulation(topology, controllers, settings, to(err), false);
  }

  /** Runs to the end, which a setting brings about. */
  private int run(
      Topology topology, Emulation.Settings settings, List<InetSocketAddress> controllers)
      throws InterruptedException {
    return emulation(topology, settings, controllers).run(to(out));
  }

  private String summary() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private void awaitLine(String part) {
    Await.until(
        part,
        PATIENCE,
        () -> progress().lines().anyMatch(line -> line.contains(part)),
        this::progress);
  }

  @Test
  void aControllerThatDiesAndReturnsIsFollowed() throws Exception {
    // No port of outgoing connections: while nobody listens, a switch could connect to itself.
    try (PortBlock ports = PortBlock.take()) {
      aControllerDiesAndReturns(ports.port(1));
    }
  }

  private void aControllerDiesAndReturns(int port) throws Exception {
    Emulation emulation;
    CompletableFuture<Integer> code = new CompletableFuture<>();
    try (FakeController first =
        new FakeController(port, FakeController.HELLO, FakeController.master())) {
      emulation = emulation(RING, new Emulation.Settings(0, 0, 0), List.of(first.address()));
      new Thread(
              () -> {
                try {
                  code.complete(emulation.run(to(out)));
                } catch (InterruptedException | RuntimeException e) {
                  code.completeExceptionally(e);
                }
              },
              "emulation")
          .start();
      awaitLine("all 20 switches are connected to the controller");
      awaitLine("all 20 switches have a master");
    }
    awaitLine("127.0.0.1:" + port + " has 0 of 20 switches: ");
    awaitLine("20 of 20 switches have no master");
    try (FakeController second =
        new FakeController(port, FakeController.HELLO, FakeController.master())) {
      awaitLine("has all 20 switches again, after ");
      awaitLine("all switches have a master again: 20 had none, for up to ");
      emulation.end();
    }
    assertThat(code.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ExitCode.DONE);
    assertThat(summary())
        .contains("ring-20: 20 switches, 20 links, 20 hosts for ")
        .contains(port + ": at the end 20 of 20 switches connected")
        .contains("40 connections made");
  }

  @Test
  void aControllerThatTalksNonsenseIsNamedAndTheOtherOneServes() throws Exception {
    try (FakeController bad = new FakeController(0, GARBAGE);
        FakeController good = new FakeController(0, FakeController.HELLO)) {
      List<InetSocketAddress> both = List.of(good.address(), bad.address());
      assertThat(run(RING, new Emulation.Settings(0, 60, 2), both)).isEqualTo(ExitCode.FAILED);
      assertThat(progress())
          .contains(
              "--deadline 2: not all switches are connected: connected 20 0 of 20; 127.0.0.1:")
          .contains(bad.address().getPort() + ": ");
      assertThat(summary())
          .contains(good.address().getPort() + ": at the end 20 of 20 switches connected")
          .contains("all connected: never");
    }
  }

  @Test
  void aControllerThatRefusesMissesTheDeadlineOnly() throws Exception {
    try (PortBlock ports = PortBlock.take()) {
      InetSocketAddress nobody =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.port(1));
      assertThat(run(RING, new Emulation.Settings(0, 60, 1), List.of(nobody)))
          .isEqualTo(ExitCode.FAILED);
      assertThat(progress()).contains("connected 0 of 20; 127.0.0.1:" + nobody.getPort());
      assertThat(progress()).contains("Connection refused").doesNotContain("refused: ");
      assertThat(run(RING, new Emulation.Settings(0, 1, 0), List.of(nobody)))
          .as("without a deadline nothing is wrong")
          .isEqualTo(ExitCode.DONE);
    }
  }

  @Test
  void switchesOfOpenFlow10HaveNoMasterThatTheEmulatorCouldSee() throws Exception {
    byte[] hello = {1, 0, 0, 8, 0, 0, 0, 1};
    Topology old = RING.speaking(Protocol.OPENFLOW_10, any -> true);
    try (FakeController controller = new FakeController(0, hello)) {
      assertThat(run(old, new Emulation.Settings(0, 3, 2), List.of(controller.address())))
          .as(progress())
          .isEqualTo(ExitCode.DONE);
      assertThat(summary())
          .contains("all connected: after ", "all with a master: - (no controller took a role)");
    }
  }

  @Test
  void pingsNobodyForwardsAreLost() throws Exception {
    try (FakeController controller =
        new FakeController(0, FakeController.HELLO, FakeController.master())) {
      assertThat(run(RING, new Emulation.Settings(50, 9, 5), List.of(controller.address())))
          .as(progress())
          .isEqualTo(ExitCode.DONE);
      assertThat(summary()).containsPattern("pings: [0-9]+ sent, 0 answered, [1-9][0-9]* lost");
      assertThat(progress()).containsPattern("pings [0-9]+, lost [1-9]");
    }
  }
}
