package io.lockstep.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchObserver.PortChange;
import io.lockstep.core.state.InputCounters;
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
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

class LinkDiscoveryTest {
  private static final DiscoveryConfig CONFIG =
      new DiscoveryConfig(1_000, 1_000, 250, 100, 5, 10_000);
  private static final DiscoveryKey KEY = LldpCodecTest.key(1, 1);

  private final ManualTime time = new ManualTime();
  private final Set<DirectedLink> links = ConcurrentHashMap.newKeySet();
  private final Set<SwitchPort> edges = ConcurrentHashMap.newKeySet();
  private final Map<SwitchPort, SwitchPort> wires = new HashMap<>();
  private final Map<Long, FakeSwitch> switches = new HashMap<>();
  private final Map<Long, Node> masters = new HashMap<>();
  private final Set<Long> withoutMaster = new HashSet<>();
  private final List<Node> nodes = new ArrayList<>();
  private final InputCounters inputs = new InputCounters();
  private int writes;
  private boolean storeReachable = true;

  /** A controller node; all of them share the store and its views. */
  private final class Node implements LinkDiscovery.Surroundings {
    final LinkDiscovery discovery =
        new LinkDiscovery(
            this,
            LinkDiscoveryTest.this::write,
            CONFIG,
            time,
            time::nanos,
            time::millis,
            dpid -> !withoutMaster.contains(dpid),
            inputs);
    final LldpReceiver receiver = new LldpReceiver(discovery, time::millis, time::nanos);

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

    void master(FakeSwitch connection) {
      masters.put(connection.dpid(), this);
      discovery.gained(connection, 1);
    }

    void lose(FakeSwitch connection) {
      masters.remove(connection.dpid());
      discovery.lost(connection, "test");
    }
  }

  private CompletableFuture<Reply> write(DeviceId device, List<Write> batch) {
    writes++;
    if (storeReachable) {
      batch.forEach(this::apply);
    }
    return CompletableFuture.completedFuture(new Reply.Applied(1));
  }

  private void apply(Write write) {
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

  private void tell(DirectedLink link, boolean present) {
    for (Node node : nodes) {
      time.execute(() -> node.discovery.linkChanged(link, present));
    }
  }

  private FakeSwitch connect(long dpid, int ports) {
    FakeSwitch connection = new FakeSwitch(dpid, ports);
    connection.onPacketOut = out -> carry(connection, out);
    switches.put(dpid, connection);
    return connection;
  }

  private void carry(SwitchConnection from, PacketOut out) {
    for (PortNumber port : out.outPorts()) {
      SwitchPort arrival = wires.get(new SwitchPort(from.dpid(), port.toLong()));
      if (arrival != null) {
        deliver(arrival, out.data());
      }
    }
  }

  private void deliver(SwitchPort arrival, byte[] frame) {
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

  private void wire(long a, long portA, long b, long portB) {
    wires.put(new SwitchPort(a, portA), new SwitchPort(b, portB));
    wires.put(new SwitchPort(b, portB), new SwitchPort(a, portA));
  }

  private void pass(long millis) {
    time.pass(
        millis,
        () -> {
          if (time.millis() % 50 == 0) {
            nodes.forEach(node -> node.discovery.tick());
          }
        });
  }

  private static DirectedLink link(long a, long portA, long b, long portB) {
    return new DirectedLink(new SwitchPort(a, portA), new SwitchPort(b, portB));
  }

  @Test
  void linkAcrossTwoNodesIsFoundAtOnceInBothDirections() {
    wire(1, 1, 2, 1);
    new Node().master(connect(1, 2));
    new Node().master(connect(2, 2));
    pass(300);
    assertThat(links).containsExactlyInAnyOrder(link(1, 1, 2, 1), link(2, 1, 1, 1));
  }

  @Test
  void portWithoutAnswerBecomesAnEdgeOnlyAfterItsQuarantine() {
    Node node = new Node();
    node.master(connect(1, 1));
    pass(900);
    assertThat(node.discovery.provenEdges()).isEmpty();
    pass(700);
    assertThat(node.discovery.provenEdges()).containsExactly(new SwitchPort(1, 1));
  }

  @Test
  void portWithALinkNeverBecomesAnEdge() {
    wire(1, 1, 2, 1);
    Node node = new Node();
    node.master(connect(1, 1));
    node.master(connect(2, 1));
    pass(10_000);
    assertThat(edges).isEmpty();
  }

  @Test
  void switchThatComesLaterTakesTheEdgeBackBeforeItFloodsItself() {
    wire(1, 1, 2, 1);
    Node node = new Node();
    node.master(connect(1, 1));
    pass(2_000);
    assertThat(edges).containsExactly(new SwitchPort(1, 1));
    node.master(connect(2, 1));
    pass(10);
    assertThat(node.discovery.provenEdges()).isEmpty();
    pass(5_000);
    assertThat(edges).isEmpty();
    assertThat(links).hasSize(2);
  }

  @Test
  void nothingIsWrittenWhileNothingChanges() {
    wire(1, 1, 2, 1);
    Node node = new Node();
    node.master(connect(1, 3));
    node.master(connect(2, 3));
    pass(5_000);
    int before = writes;
    pass(30_000);
    assertThat(writes).isEqualTo(before);
  }

  @Test
  void portDownTakesTheLinkAtOnceInBothDirections() {
    wire(1, 1, 2, 1);
    Node node = new Node();
    FakeSwitch first = connect(1, 1);
    node.master(first);
    node.master(connect(2, 1));
    pass(2_000);
    wires.clear();
    node.discovery.portStatus(first, PortChange.MODIFIED, first.setPort(1, false));
    assertThat(links).isEmpty();
  }

  @Test
  void portThatWasDownForAMomentOnlyStartsAnew() {
    Node node = new Node();
    FakeSwitch connection = connect(1, 1);
    node.master(connection);
    pass(2_000);
    time.execute(
        () -> {
          node.discovery.portStatus(connection, PortChange.MODIFIED, connection.setPort(1, false));
          node.discovery.portStatus(connection, PortChange.MODIFIED, connection.setPort(1, true));
        });
    assertThat(edges).isEmpty();
    assertThat(node.discovery.provenEdges()).isEmpty();
    pass(2_000);
    assertThat(node.discovery.provenEdges()).hasSize(1);
  }

  @Test
  void silentLinkIsGivenUpAfterTheMissedProbes() {
    wire(1, 1, 2, 1);
    Node node = new Node();
    node.master(connect(1, 1));
    node.master(connect(2, 1));
    pass(2_000);
    wires.clear();
    pass(4_000);
    assertThat(links).hasSize(2);
    pass(3_000);
    assertThat(links).isEmpty();
    pass(3_000);
    assertThat(edges).as("its ports may be edges now").hasSize(2);
  }

  @Test
  void linkStaysWhileNobodyMastersItsSource() {
    wire(1, 1, 2, 1);
    Node first = new Node();
    Node second = new Node();
    FakeSwitch one = connect(1, 1);
    first.master(one);
    second.master(connect(2, 1));
    pass(2_000);
    withoutMaster.add(1L);
    first.lose(one);
    nodes.remove(first);
    pass(60_000);
    assertThat(links).as("unknown is not missing").hasSize(2);
    withoutMaster.clear();
    second.master(one);
    pass(20_000);
    assertThat(links).hasSize(2);
  }

  @Test
  void nodeThatWasStalledGivesLinksTimeToSpeak() {
    wire(1, 1, 2, 1);
    Node node = new Node();
    node.master(connect(1, 1));
    node.master(connect(2, 1));
    pass(2_000);
    time.pass(60_000);
    pass(3_000);
    assertThat(links).hasSize(2);
  }

  @Test
  void takeOverBelievesStoredEdgesOnceItProbedThem() {
    Node first = new Node();
    FakeSwitch one = connect(1, 2);
    first.master(one);
    pass(2_000);
    assertThat(edges).hasSize(2);
    first.lose(one);
    Node second = new Node();
    second.master(one);
    assertThat(second.discovery.provenEdges()).isEmpty();
    pass(160);
    assertThat(second.discovery.provenEdges()).hasSize(2);
  }

  @Test
  void takeOverRemovesWhatWentDownUnobserved() {
    wire(1, 1, 2, 1);
    Node first = new Node();
    FakeSwitch one = connect(1, 2);
    first.master(one);
    first.master(connect(2, 1));
    pass(2_000);
    first.lose(one);
    wires.clear();
    one.setPort(1, false);
    one.setPort(2, false);
    Node second = new Node();
    second.master(one);
    pass(600);
    assertThat(links).isEmpty();
    assertThat(edges).isEmpty();
  }

  @Test
  void writesThatWereLostAreMadeAgain() {
    wire(1, 1, 2, 1);
    storeReachable = false;
    Node node = new Node();
    node.master(connect(1, 2));
    node.master(connect(2, 1));
    pass(3_000);
    assertThat(node.discovery.provenEdges()).as("only what the store says").isEmpty();
    storeReachable = true;
    pass(3_000);
    assertThat(links).hasSize(2);
    assertThat(edges).containsExactly(new SwitchPort(1, 2));
  }

  @Test
  void portThatHearsItselfIsNoEdge() {
    wires.put(new SwitchPort(1, 1), new SwitchPort(1, 1));
    Node node = new Node();
    node.master(connect(1, 1));
    pass(5_000);
    assertThat(node.discovery.provenEdges()).isEmpty();
  }

  @Test
  void forgedAndReplayedProbesAreCountedAndChangeNothing() {
    Node node = new Node();
    node.master(connect(1, 2));
    pass(2_000);
    Set<SwitchPort> before = Set.copyOf(edges);
    SwitchPort claimed = new SwitchPort(66, 1);
    byte[] forged = new LldpCodec(LldpCodecTest.key(1, 99), 10_000).encode(claimed, time.millis());
    byte[] stale = new LldpCodec(KEY, 10_000).encode(claimed, time.millis() - 60_000);
    deliver(new SwitchPort(1, 1), forged);
    deliver(new SwitchPort(1, 1), stale);
    deliver(new SwitchPort(1, 1), new byte[] {1, 2, 3});
    pass(1_000);
    assertThat(links).isEmpty();
    assertThat(edges).isEqualTo(before);
    LldpReceiver.Counts counts = node.receiver.counts();
    assertThat(counts.forged()).isEqualTo(1);
    assertThat(counts.stale()).isEqualTo(1);
    assertThat(counts.malformed()).isEqualTo(1);
  }

  @Test
  void settledProbesOfManyPortsAreSpread() {
    Node node = new Node();
    FakeSwitch big = connect(1, 100);
    node.master(big);
    pass(5_000);
    big.packetOuts.clear();
    pass(100);
    assertThat(big.packetOuts).hasSizeLessThan(40);
    pass(900);
    assertThat(big.packetOuts).hasSizeBetween(95, 105);
  }
}
