package io.lockstep.core.node;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchFeatures;
import io.lockstep.core.southbound.SwitchObserver;
import io.lockstep.core.southbound.SwitchObserver.PortChange;
import io.lockstep.core.southbound.TableStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Port;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DefaultPortDescription;
import org.onosproject.net.device.PortDescription;

/**
 * A switch that keeps roles and generation ids as OpenFlow 1.3.5 section 6.3.6 says and does
 * nothing else. All its connections share one event loop.
 */
final class FakeSwitch {
  private final long dpid;
  private final DeviceId deviceId;
  private final ExecutorService loop;
  private volatile @Nullable Thread loopThread;
  private final Map<String, Connection> connections = new ConcurrentHashMap<>();
  private final CopyOnWriteArrayList<PortDescription> ports = new CopyOnWriteArrayList<>();

  /** Every role request in the order of arrival, for example {@code n1 MASTER 1}. */
  final List<String> requests = new CopyOnWriteArrayList<>();

  /** When the switch is done with what a node sent that stands down. */
  volatile CompletableFuture<Boolean> still = CompletableFuture.completedFuture(true);

  /** The nodes that stood down. */
  final List<String> stoodDown = new CopyOnWriteArrayList<>();

  // Owned by the loop.
  private @Nullable Long generation;
  private boolean silent;

  FakeSwitch(long dpid, ExecutorService loop) {
    this.dpid = dpid;
    this.deviceId = DeviceId.deviceId(String.format("of:%016x", dpid));
    this.loop = loop;
    loop.execute(() -> loopThread = Thread.currentThread());
    ports.add(port(1, true));
    ports.add(port(2, true));
  }

  DeviceId deviceId() {
    return deviceId;
  }

  long dpid() {
    return dpid;
  }

  /** The switch outlived an earlier cluster that left it this generation id. */
  void rememberGeneration(long generationId, boolean tellsIt) {
    loop.execute(
        () -> {
          generation = generationId;
          silent = !tellsIt;
        });
  }

  void connect(String node, SwitchObserver observer) {
    Connection connection = new Connection(node, observer);
    connections.put(node, connection);
    loop.execute(() -> observer.connected(connection));
  }

  void disconnect(String node) {
    Connection connection = connections.get(node);
    if (connection != null) {
      connection.close("the test pulled the cable");
    }
  }

  SwitchConnection connection(String node) {
    Connection connection = connections.get(node);
    if (connection == null) {
      throw new IllegalStateException(node + " is not connected to " + deviceId);
    }
    return connection;
  }

  /** The node whose connection has the role MASTER, or null. */
  @Nullable String master() {
    for (Connection connection : connections.values()) {
      if (connection.role == SwitchConnection.SwitchRole.MASTER) {
        return connection.node;
      }
    }
    return null;
  }

  /** The role of a node's connection. */
  SwitchConnection.SwitchRole role(String node) {
    Connection connection = connections.get(node);
    return connection == null ? SwitchConnection.SwitchRole.EQUAL : connection.role;
  }

  void setPort(long number, boolean enabled) {
    loop.execute(
        () -> {
          PortDescription now = port(number, enabled);
          ports.removeIf(port -> port.portNumber().toLong() == number);
          ports.add(now);
          for (Connection connection : connections.values()) {
            connection.observer.portStatus(connection, PortChange.MODIFIED, now);
          }
        });
  }

  private static PortDescription port(long number, boolean enabled) {
    return DefaultPortDescription.builder()
        .withPortNumber(PortNumber.portNumber(number, "eth" + number))
        .isEnabled(enabled)
        .type(Port.Type.COPPER)
        .portSpeed(1_000)
        .build();
  }

  private final class Connection implements SwitchConnection {
    private final String node;
    private final SwitchObserver observer;
    private volatile SwitchRole role = SwitchRole.EQUAL;
    private volatile boolean open = true;

    Connection(String node, SwitchObserver observer) {
      this.node = node;
      this.observer = observer;
    }

    @Override
    public DeviceId deviceId() {
      return deviceId;
    }

    @Override
    public long dpid() {
      return dpid;
    }

    @Override
    public SwitchFeatures features() {
      return new SwitchFeatures(
          "OpenFlow 1.3", "198.51.100.1:4711", "Acme", "hw", "sw", "serial", "dp", 0, 4);
    }

    @Override
    public List<PortDescription> ports() {
      List<PortDescription> sorted = new ArrayList<>(ports);
      sorted.sort(Comparator.comparingLong(port -> port.portNumber().toLong()));
      return sorted;
    }

    @Override
    public @Nullable PortDescription port(long number) {
      for (PortDescription port : ports) {
        if (port.portNumber().toLong() == number) {
          return port;
        }
      }
      return null;
    }

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public void execute(Runnable task) {
      if (Thread.currentThread() == loopThread) {
        task.run();
        return;
      }
      try {
        loop.execute(task);
      } catch (RejectedExecutionException e) {
        // The test is over.
      }
    }

    @Override
    public CompletableFuture<RoleOutcome> requestRole(SwitchRole wanted, long generationId) {
      CompletableFuture<RoleOutcome> answer = new CompletableFuture<>();
      execute(() -> answer.complete(take(wanted, generationId)));
      return answer;
    }

    private RoleOutcome take(SwitchRole wanted, long generationId) {
      if (!open) {
        return new RoleOutcome.Failed("closed");
      }
      requests.add(node + " " + wanted + " " + generationId);
      if (wanted == SwitchRole.EQUAL) {
        role = wanted;
        return new RoleOutcome.Granted(wanted, generationId);
      }
      Long known = generation;
      if (known != null && generationId - known < 0) {
        return new RoleOutcome.Stale(silent ? -1 : known);
      }
      generation = generationId;
      if (wanted == SwitchRole.MASTER) {
        for (Connection other : connections.values()) {
          if (other != this && other.role == SwitchRole.MASTER) {
            other.role = SwitchRole.SLAVE;
            other.observer.roleLost(other, "another controller is master");
          }
        }
      }
      role = wanted;
      return new RoleOutcome.Granted(wanted, generationId);
    }

    @Override
    public CompletableFuture<Boolean> standDown() {
      stoodDown.add(node);
      return still;
    }

    @Override
    public boolean packetOut(PacketOut packetOut) {
      throw new AssertionError("nothing may be sent");
    }

    @Override
    public boolean flowMods(List<FlowMod> mods) {
      throw new AssertionError("nothing may be changed on the switch");
    }

    @Override
    public CompletableFuture<List<FlowModOutcome>> flowModsConfirmed(List<FlowMod> mods) {
      throw new AssertionError("nothing may be changed on the switch");
    }

    @Override
    public CompletableFuture<Answer<List<FlowStats>>> flowStats() {
      return CompletableFuture.completedFuture(new Answer.None<>("a fake has no flows"));
    }

    @Override
    public CompletableFuture<Answer<List<TableStats>>> tableStats() {
      return CompletableFuture.completedFuture(new Answer.None<>("a fake has no tables"));
    }

    @Override
    public void close(String reason) {
      execute(
          () -> {
            if (open) {
              open = false;
              role = SwitchRole.EQUAL;
              connections.remove(node, this);
              observer.disconnected(this, reason);
            }
          });
    }
  }
}
