package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lockstep.core.node.PacketTaps;
import io.lockstep.core.placer.profile.ProfileReader;
import io.lockstep.core.placer.profile.SwitchProfile;
import io.lockstep.core.probe.ConnectionTarget;
import io.lockstep.core.probe.ProbeReport;
import io.lockstep.core.probe.ProbeReport.Row;
import io.lockstep.core.probe.ProfileInference;
import io.lockstep.core.probe.SwitchProbe;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.RoleOutcome;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import io.lockstep.core.southbound.SwitchObserver;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.NetworkOptions;
import io.lockstep.dataplane.profile.ProfileFile;
import io.lockstep.dataplane.topology.TopologyBuilder;
import io.lockstep.openflow.channel.OpenFlowServer;
import io.lockstep.openflow.channel.OpenFlowServerConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.onosproject.net.device.PortDescription;

/**
 * The probe against the emulated switches, over OpenFlow on TCP: it has to find table 2 of the
 * paper on hardware and software flow tables, without a look into the model.
 */
class ProbeIT {
  /** Table 2: a column, and the OpenFlow table that it is in the emulated switch. */
  private record Column(String profile, int table, List<Integer> cells) {
    static Column of(String profile, int table, Integer... cells) {
      return new Column(profile, table, Arrays.asList(cells));
    }

    @Override
    public String toString() {
      return profile + " table " + table;
    }
  }

  static Stream<Column> table2() {
    return Stream.of(
        Column.of("2920", 0, 460, 460, 460, 0, 0, 460, 460, 460, 460, 460, 460, 460),
        Column.of("3500yl-1.0", 0, 381, 381, 0, 0, 0, 1526, 1526, 1526, 1526, 1526, 1526, 1526),
        Column.of("3500yl-1.3", 0, 0, 0, 0, 0, 0, 1526, 1526, 1526, 1526, 1526, 1526, 1526),
        Column.of("5130", 1, 384, 384, 384, 384, 384, 384, 512, 512, 512, 512, 512, 512),
        Column.of("5130", 0, 0, 0, 0, 0, 16000, 16000, 0, 0, 16000, 0, 0, 0),
        Column.of("5700", 1, 640, 640, 640, 640, 640, 512, 512, 512, 512, 512, 512, 512),
        // Row 2 of this column is not in our text of the paper; the model says 0 as for the 5130.
        Column.of("5700", 0, 0, 0, 0, 0, 65535, 65535, 0, 0, 65535, 0, 0, 0));
  }

  /** A server, one emulated switch, and this side's connection to it as its master. */
  private static final class Bench implements AutoCloseable {
    final PacketTaps taps = new PacketTaps();
    final CompletableFuture<SwitchConnection> connected = new CompletableFuture<>();
    final OpenFlowServer server =
        new OpenFlowServer(
            OpenFlowServerConfig.defaults()
                .withListen("127.0.0.1", 0)
                .withDeadlines(30_000, 10_000, 30_000, 60_000, 60_000),
            new Observer());
    final EmulatedNetwork network;
    final SwitchConnection connection;

    Bench(String profile) throws Exception {
      server.start();
      network =
          new EmulatedNetwork(
              new TopologyBuilder("one")
                  .addSwitch("s1", 1, "all", ProfileFile.builtIn(profile))
                  .host("s1")
                  .build(),
              NetworkOptions.ordinary(
                  List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()))));
      network.start();
      connection = connected.get(30, TimeUnit.SECONDS);
      assertThat(connection.requestRole(SwitchRole.MASTER, 1).get(30, TimeUnit.SECONDS))
          .isEqualTo(new RoleOutcome.Granted(SwitchRole.MASTER, 1));
    }

    ProbeReport probe(int table) throws Exception {
      try (ConnectionTarget target = new ConnectionTarget(connection, taps, System::nanoTime)) {
        return new SwitchProbe(target, SwitchProbe.Limits.DEFAULT)
            .run("s1", List.of(table), false, line -> {});
      }
    }

    int entries() {
      return network
          .switchNamed("s1")
          .inspect(
              model ->
                  model.pipeline().tables().stream().mapToInt(each -> each.entries().size()).sum())
          .join();
    }

    @Override
    public void close() {
      network.close();
      server.close();
    }

    private final class Observer implements SwitchObserver {
      @Override
      public void connected(SwitchConnection found) {
        connected.complete(found);
      }

      @Override
      public void packetIn(SwitchConnection from, PacketIn packetIn) {
        taps.take(from, packetIn);
      }

      @Override
      public void disconnected(SwitchConnection from, String reason) {}

      @Override
      public void portStatus(SwitchConnection from, PortChange change, PortDescription port) {}

      @Override
      public void flowRemoved(SwitchConnection from, FlowRemoved flowRemoved) {}

      @Override
      public void flowModFailed(SwitchConnection from, FlowMod mod, String error) {}

      @Override
      public void roleLost(SwitchConnection from, String reason) {}
    }
  }

  @ParameterizedTest
  @MethodSource("table2")
  void everyCellOfTable2IsFound(Column column) throws Exception {
    try (Bench bench = new Bench(column.profile())) {
      ProbeReport report = bench.probe(column.table());
      assertThat(report.tables().get(0).rows())
          .as(String.join("\n", report.lines()))
          .extracting(Row::capacity)
          .containsExactlyElementsOf(column.cells());
      assertThat(bench.entries()).isZero();
      SwitchProfile profile =
          ProfileReader.read("probed.yaml", ProfileInference.yaml(report, "probed"));
      assertThat(profile.layers().get(0).table()).isEqualTo(column.table());
    }
  }

  @Test
  void aSwitchThatIsLostMeanwhileEndsTheProbeWithItsReason() throws Exception {
    try (Bench bench = new Bench("5130")) {
      // Using table 2 costs this model its controllers: so says the paper.
      assertThat(catchThrowable(() -> bench.probe(2))).hasMessageContaining("not confirmed");
    }
  }
}
