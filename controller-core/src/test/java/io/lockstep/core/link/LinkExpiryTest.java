package io.lockstep.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.testing.FakeSwitch;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.PortNumber;

/** When a link ends: switches 1 and 2 are cabled, and have masters of their own. */
class LinkExpiryTest extends LinkDiscoveryFixture {
  private final Node first = new Node();
  private final Node second = new Node();
  private final FakeSwitch one = connect(1, 2);
  private final FakeSwitch two = connect(2, 2);

  @BeforeEach
  void findLinks() {
    wire(1, 1, 2, 1);
    first.master(one);
    second.master(two);
    pass(5_000);
    assertThat(links).hasSize(2);
  }

  /** Lets time pass until switch 2 has just sent a probe to switch 1. */
  private void awaitProbe() {
    long before = probes();
    while (probes() == before) {
      pass(50);
    }
  }

  private long probes() {
    PortNumber cabled = PortNumber.portNumber(1);
    return two.packetOuts.stream().filter(out -> out.outPorts().contains(cabled)).count();
  }

  @Test
  void linksOfASwitchThatDisconnectedEndWithinThreeSecondsWhileItsDomainHasAMaster() {
    second.lose(two);
    disconnected.add(2L);
    pass(3_000);
    assertThat(links).isEmpty();
  }

  @Test
  void linksOfASwitchThatStoppedEndWithinThreeSeconds() {
    wires.clear();
    two.sign = new CompletableFuture<>();
    pass(3_000);
    assertThat(links).isEmpty();
  }

  @Test
  void linksOfASwitchThatStoppedEndWithinThreeSecondsWhereItKnowsOneNodeOnly() {
    first.elsewhere.add(2L);
    second.elsewhere.add(1L);
    wires.clear();
    two.sign = new CompletableFuture<>();
    pass(3_000);
    assertThat(links).isEmpty();
  }

  @Test
  void linksOfASwitchThatSaysItIsGoneToAnEchoEndWithinThreeSeconds() {
    wires.clear();
    two.sign = CompletableFuture.completedFuture(false);
    pass(3_000);
    assertThat(links).isEmpty();
  }

  @Test
  void linkStaysWhileItsSourceChangesItsMaster() {
    masters.remove(2L);
    second.discovery.lost(two, "its node died");
    pass(4_500);
    assertThat(links).as("the switch answers; only nobody probes").hasSize(2);
    first.master(two);
    pass(20_000);
    assertThat(links).hasSize(2);
  }

  @Test
  void linkStaysWhileItsSourceReconnectsAtOnce() {
    for (int i = 0; i < 10; i++) {
      disconnected.add(2L);
      pass(700);
      disconnected.clear();
      pass(1_300);
    }
    assertThat(links).hasSize(2);
  }

  @Test
  void switchThatWasNeverSeenSinceTheStartIsUnknownAndNotMissing() {
    disconnected.add(2L);
    second.lose(two);
    nodes.clear();
    Node restarted = new Node();
    restarted.master(one);
    pass(4_000);
    assertThat(links).hasSize(2);
    disconnected.clear();
    restarted.master(two);
    pass(10_000);
    assertThat(links).hasSize(2);
  }

  @Test
  void linkStaysWhereASwitchOfAStarvedMachineAnswersLate() {
    CompletableFuture<Boolean> late = new CompletableFuture<>();
    awaitProbe();
    wires.clear();
    two.sign = late;
    pass(2_350);
    assertThat(links).as("there is time left of the 3 s").hasSize(2);
    late.complete(true);
    two.sign = CompletableFuture.completedFuture(true);
    pass(2_000);
    assertThat(links).hasSize(2);
  }

  @Test
  void switchThatMissedOneQuestionIsAskedAgain() {
    CompletableFuture<Boolean> missed = new CompletableFuture<>();
    awaitProbe();
    wires.clear();
    two.sign = missed;
    pass(1_600);
    missed.complete(false);
    two.sign = CompletableFuture.completedFuture(true);
    pass(2_000);
    assertThat(links).hasSize(2);
  }

  @Test
  void switchThatReconnectedIsAskedAnew() {
    awaitProbe();
    wires.clear();
    two.sign = new CompletableFuture<>();
    pass(2_100);
    switches.put(2L, new FakeSwitch(2, 2));
    pass(1_500);
    assertThat(links).hasSize(2);
  }

  @Test
  void probeThatArrivesLateKeepsItsLink() {
    Map<SwitchPort, SwitchPort> cable = Map.copyOf(wires);
    two.sign = new CompletableFuture<>();
    for (int i = 0; i < 10; i++) {
      wires.clear();
      pass(1_300);
      wires.putAll(cable);
      pass(1_100);
    }
    assertThat(links).hasSize(2);
  }

  @Test
  void healthyLinkCostsNoQuestions() {
    int before = one.signsAsked + two.signsAsked;
    pass(60_000);
    assertThat(one.signsAsked + two.signsAsked).isEqualTo(before);
  }

  @Test
  void silentSwitchIsAskedOnceAtATime() {
    wires.clear();
    two.sign = new CompletableFuture<>();
    storeReachable = false;
    pass(60_000);
    assertThat(two.signsAsked).isLessThanOrEqualTo(2);
  }

  @Test
  void linkThatCameBackIsBelievedWhateverHostsWereHeardMeanwhile() {
    second.lose(two);
    disconnected.add(2L);
    pass(5_000);
    assertThat(links).isEmpty();
    awakeHosts.add(new SwitchPort(1, 1));
    disconnected.clear();
    second.master(two);
    pass(1_500);
    assertThat(links).hasSize(2);
  }
}
