package io.lockstep.core.link;

import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.state.InputCounters;
import io.lockstep.core.state.SwitchTroubles;
import io.lockstep.core.testing.FakeSwitch;
import io.lockstep.core.testing.ManualTime;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

/** Controller nodes that share a store, and switches whose ports are wired. */
class LinkDiscoveryFixture {
  static final DiscoveryConfig CONFIG = new DiscoveryConfig(1_000, 1_000, 250, 100, 5, 10_000);
  static final DiscoveryKey KEY = LldpCodecTest.key(1, 1);

  final ManualTime time = new ManualTime();
  final Set<DirectedLink> links = ConcurrentHashMap.newKeySet();
  final Set<SwitchPort> edges = ConcurrentHashMap.newKeySet();
  final Map<SwitchPort, SwitchPort> wires = new HashMap<>();
  final Map<Long, FakeSwitch> switches = new HashMap<>();
  final Map<Long, Node> masters = new HashMap<>();
  final Set<Long> withoutMaster = new HashSet<>();
  final List<Node> nodes = new ArrayList<>();
  final InputCounters inputs = new InputCounters();
  final SwitchTroubles troubles = new SwitchTroubles(time::nanos);
  final Set<SwitchPort> awakeHosts = new HashSet<>();

  /** Switches that lost their connections to all nodes. */
  final Set<Long> disconnected = new HashSet<>();

  int writes;
  boolean storeReachable = true;

  /** Ports on one hub. */
  List<SwitchPort> hub = List.of();

  /** A controller node; all of them share the store and its views. */
  final class Node implements LinkSurroundings {
    final LinkDiscovery discovery =
        new LinkDiscovery(
            this,
            LinkDiscoveryFixture.this::write,
            CONFIG,
            time,
            time::nanos,
            time::millis,
            dpid -> !withoutMaster.contains(dpid),
            inputs,
            troubles);
    final LldpReceiver receiver = new LldpReceiver(discovery, time::millis, time::nanos);

    /** Switches that are connected to other nodes only. */
    final Set<Long> elsewhere = new HashSet<>();

    Node() {
      discovery.start(KEY);
      nodes.add(this);
    }

    @Override
    public Set<DirectedLink> links() {
      return links;
    }

    @Override
    public Set<SwitchPort> edges() {
      return edges;
    }

    @Override
    public void changed() {}

    @Override
    public @Nullable SwitchConnection connected(long dpid) {
      return disconnected.contains(dpid) || elsewhere.contains(dpid) ? null : switches.get(dpid);
    }

    @Override
    public boolean isConnectedElsewhere(long dpid) {
      return !disconnected.contains(dpid) && switches.containsKey(dpid);
    }

    @Override
    public boolean isHostAwake(SwitchPort port, @Nullable Long cameUpNanos) {
      return awakeHosts.contains(port);
    }

    void master(FakeSwitch connection) {
      masters.put(connection.dpid(), this);
      discovery.gained(connection, 1);
    }

    void lose(FakeSwitch connection) {
      masters.remove(connection.dpid());
      discovery.lost(connection, "test");
    }
  }

  CompletableFuture<Reply> write(DeviceId device, List<Write> batch) {
    writes++;
    if (storeReachable) {
      batch.forEach(this::apply);
    }
    return CompletableFuture.completedFuture(new Reply.Applied(1));
  }

  void apply(Write write) {
    if (write instanceof Write.Put put) {
      if (put.table().equals(LinkTable.NAME)) {
        DirectedLink link = new LinkTable().decodeKey(put.key());
        links.add(link);
        tell(link, true);
      } else {
        edges.add(new EdgeTable().decodeKey(put.key()));
      }
    } else if (write instanceof Write.Remove remove) {
      if (remove.table().equals(LinkTable.NAME)) {
        DirectedLink link = new LinkTable().decodeKey(remove.key());
        if (links.remove(link)) {
          tell(link, false);
        }
      } else {
        edges.remove(new EdgeTable().decodeKey(remove.key()));
      }
    }
  }

  void tell(DirectedLink link, boolean present) {
    for (Node node : nodes) {
      time.execute(() -> node.discovery.linkChanged(link, present));
    }
  }

  FakeSwitch connect(long dpid, int ports) {
    FakeSwitch connection = new FakeSwitch(dpid, ports);
    connection.onPacketOut = out -> carry(connection, out);
    switches.put(dpid, connection);
    return connection;
  }

  void carry(SwitchConnection from, PacketOut out) {
    for (PortNumber port : out.outPorts()) {
      SwitchPort source = new SwitchPort(from.dpid(), port.toLong());
      if (hub.contains(source)) {
        hub.stream().filter(at -> !at.equals(source)).forEach(at -> deliver(at, out.data()));
      }
      SwitchPort arrival = wires.get(source);
      if (arrival != null) {
        deliver(arrival, out.data());
      }
    }
  }

  void deliver(SwitchPort arrival, byte[] frame) {
    Node master = masters.get(arrival.dpid());
    FakeSwitch to = switches.get(arrival.dpid());
    if (master != null && to != null) {
      master.receiver.receive(
          to,
          new PacketIn(
              PacketIn.NO_BUFFER,
              0,
              arrival.portNumber(),
              PacketIn.Reason.ACTION,
              0,
              frame,
              frame.length));
    }
  }

  void wire(long a, long portA, long b, long portB) {
    wires.put(new SwitchPort(a, portA), new SwitchPort(b, portB));
    wires.put(new SwitchPort(b, portB), new SwitchPort(a, portA));
  }

  void pass(long millis) {
    time.pass(
        millis,
        () -> {
          if (time.millis() % 50 == 0) {
            nodes.forEach(node -> node.discovery.tick());
          }
        });
  }

  static DirectedLink link(long a, long portA, long b, long portB) {
    return new DirectedLink(new SwitchPort(a, portA), new SwitchPort(b, portB));
  }
}
