package io.lockstep.bench.switchmodel;

import io.lockstep.core.node.PacketTaps;
import io.lockstep.core.probe.ConnectionTarget;
import io.lockstep.core.probe.ProbeException;
import io.lockstep.core.probe.ProbeReport;
import io.lockstep.core.probe.SwitchProbe;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.RoleOutcome;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import io.lockstep.core.southbound.SwitchObserver;
import io.lockstep.dataplane.flowtable.FlowMatch;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.NetworkOptions;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.topology.TopologyBuilder;
import io.lockstep.openflow.channel.OpenFlowServer;
import io.lockstep.openflow.channel.OpenFlowServerConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.onosproject.net.device.PortDescription;

/**
 * One emulated switch, an OpenFlow server, and the connection between them on loopback, of which
 * this side is the master: the probe sees of the switch what OpenFlow shows, and nothing else. Used
 * by one thread.
 */
public final class ProbedSwitch implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 60;

  private final PacketTaps taps = new PacketTaps();
  private final CompletableFuture<SwitchConnection> connected = new CompletableFuture<>();
  private final OpenFlowServer server =
      new OpenFlowServer(
          OpenFlowServerConfig.defaults()
              .withListen("127.0.0.1", 0)
              .withDeadlines(30_000, 10_000, 30_000, 60_000, 60_000),
          new Observer());
  private final EmulatedNetwork network;
  private final SwitchConnection connection;

  private ProbedSwitch(HardwareProfile profile) throws IOException {
    server.start();
    network =
        new EmulatedNetwork(
            new TopologyBuilder("one").addSwitch("s1", 1, "all", profile).host("s1").build(),
            NetworkOptions.ordinary(
                List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()))));
    try {
      network.start();
      connection = await(connected);
      RoleOutcome role = await(connection.requestRole(SwitchRole.MASTER, 1));
      if (!role.equals(new RoleOutcome.Granted(SwitchRole.MASTER, 1))) {
        throw new IOException("the emulated switch did not grant its role: " + role);
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** Starts the switch and waits until it is mastered. */
  public static ProbedSwitch start(HardwareProfile profile) throws IOException {
    return new ProbedSwitch(profile);
  }

  private static <T> T await(CompletableFuture<T> future) throws IOException {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the emulated switch did not come up: " + e, e);
    }
  }

  /** The connection. */
  public SwitchConnection connection() {
    return connection;
  }

  /**
   * Probes one table. Where a later table decides over it, that one outputs to NORMAL meanwhile, as
   * the paper's controller has it in hybrid mode.
   */
  public ProbeReport probe(int table) throws ProbeException {
    boolean overridden = isOverridden(table);
    if (overridden) {
      carryOut(IperfRules.normal(table + 1));
    }
    try {
      return probe(table, overridden);
    } finally {
      if (overridden) {
        carryOut(io.lockstep.dataplane.flowtable.FlowMod.delete(FlowMatch.ANY).inTable(table + 1));
      }
    }
  }

  private boolean isOverridden(int table) {
    return network
        .switchNamed("s1")
        .inspect(model -> model.pipeline().tables().get(table).profile().overridden())
        .join();
  }

  private void carryOut(io.lockstep.dataplane.flowtable.FlowMod mod) {
    network.switchNamed("s1").inspect(model -> model.flowMod(mod, 0)).join();
  }

  private ProbeReport probe(int table, boolean besideOthers) throws ProbeException {
    try (ConnectionTarget target = new ConnectionTarget(connection, taps, System::nanoTime)) {
      return new SwitchProbe(target, SwitchProbe.Limits.DEFAULT)
          .run("s1", List.of(table), besideOthers, line -> {});
    }
  }

  /** Entries that are in the switch, by a look into the model. */
  public int entries() {
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
