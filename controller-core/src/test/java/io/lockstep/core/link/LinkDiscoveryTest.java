package io.lockstep.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.SwitchObserver.PortChange;
import io.lockstep.core.testing.FakeSwitch;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LinkDiscoveryTest extends LinkDiscoveryFixture {

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

  /** In a hand-over the old master watched the ports until the new one does. */
  @Test
  void storedEdgesHoldAtOnceAfterAHandOverAndNotAfterACrash() {
    FakeSwitch connection = connect(1, 1);
    Node old = new Node();
    old.master(connection);
    pass(3_000);
    assertThat(edges).containsExactly(new SwitchPort(1, 1));

    Node next = new Node();
    next.discovery.expected(connection, 1);
    old.lose(connection);
    next.master(connection);
    next.discovery.expectedNoLonger(connection);
    assertThat(next.discovery.provenEdges()).containsExactly(new SwitchPort(1, 1));

    next.lose(connection);
    next.master(connection);
    assertThat(next.discovery.provenEdges()).isEmpty();
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
