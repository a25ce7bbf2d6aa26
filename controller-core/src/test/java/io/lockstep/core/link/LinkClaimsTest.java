package io.lockstep.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.lockstep.core.southbound.SwitchObserver.PortChange;
import io.lockstep.core.testing.FakeSwitch;
import io.lockstep.store.logging.LogLimit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Probes that came another way than over a cable between two ports. */
class LinkClaimsTest extends LinkDiscoveryFixture {
  private final Node node = new Node();

  private static SwitchPort port(long dpid, long port) {
    return new SwitchPort(dpid, port);
  }

  private long count(String verdict) {
    return node.discovery.claims().getOrDefault(verdict, -1L);
  }

  @Test
  void portOfAHostThatIsAwakeBecomesNoLinkAndStaysAnEdge() {
    node.master(connect(1, 2));
    node.master(connect(2, 2));
    pass(3_000);
    assertThat(node.discovery.provenEdges()).hasSize(4);
    awakeHosts.add(port(2, 1));
    wire(1, 1, 2, 1);
    pass(10_000);
    assertThat(links).isEmpty();
    assertThat(node.discovery.provenEdges()).hasSize(4);
    assertThat(troubles.of(2)).contains("port 1: a probe of of:0000000000000001/1", "awake");
    assertThat(troubles.of(1)).contains("port 1");
    assertThat(count("host_awake")).isPositive();
  }

  @Test
  void portBecomesALinkWhenItsHostIsSilent() {
    node.master(connect(1, 2));
    node.master(connect(2, 2));
    pass(3_000);
    awakeHosts.add(port(2, 1));
    wire(1, 1, 2, 1);
    pass(10_000);
    awakeHosts.clear();
    pass(1_500);
    assertThat(links).containsExactlyInAnyOrder(link(1, 1, 2, 1), link(2, 1, 1, 1));
    assertThat(node.discovery.provenEdges()).hasSize(2);
  }

  /** It was missed that a port of the former link went down: something else is plugged in now. */
  @Test
  void formerLinkOfAPortThatIsDownIsForgotten() {
    node.master(connect(1, 2));
    node.master(connect(2, 2));
    wire(1, 1, 2, 1);
    pass(3_000);
    wires.clear();
    pass(8_000);
    assertThat(links).isEmpty();
    awakeHosts.add(port(2, 1));
    node.discovery.comparePorts(port -> true);
    wire(1, 1, 2, 1);
    pass(3_000);
    assertThat(links).as("it is still known").hasSize(2);
    wires.clear();
    pass(8_000);
    node.discovery.comparePorts(port -> !port.equals(port(1, 1)));
    wire(1, 1, 2, 1);
    pass(3_000);
    assertThat(links).as("a host is awake").isEmpty();
  }

  @Test
  void secondLinkOfAPortWaitsUntilTheFirstHasEnded() {
    FakeSwitch one = connect(1, 2);
    node.master(one);
    node.master(connect(2, 2));
    node.master(connect(3, 2));
    wire(1, 1, 2, 1);
    pass(3_000);
    wires.put(port(3, 1), port(1, 1));
    pass(10_000);
    assertThat(links).containsExactlyInAnyOrder(link(1, 1, 2, 1), link(2, 1, 1, 1));
    assertThat(troubles.of(1)).contains("there is the link");
    assertThat(count("second_link")).isPositive();
    wires.clear();
    wire(1, 1, 3, 1);
    pass(8_000);
    assertThat(links).containsExactlyInAnyOrder(link(1, 1, 3, 1), link(3, 1, 1, 1));
  }

  @Test
  void switchesOnAHubHaveOneLinkAndTheThirdIsClosed() {
    node.master(connect(1, 1));
    node.master(connect(2, 1));
    node.master(connect(3, 1));
    hub = List.of(port(1, 1), port(2, 1), port(3, 1));
    pass(10_000);
    assertThat(links).containsExactlyInAnyOrder(link(1, 1, 2, 1), link(2, 1, 1, 1));
    assertThat(node.discovery.provenEdges()).isEmpty();
    hub = List.of(port(1, 1), port(2, 1));
    pass(10_000);
    assertThat(node.discovery.provenEdges()).as("left the hub").containsExactly(port(3, 1));
  }

  @Test
  void linksThatTwoMastersWroteAtOnceAreReducedToOne() {
    node.master(connect(1, 1));
    node.master(connect(2, 1));
    node.master(connect(3, 1));
    links.add(link(2, 1, 3, 1));
    links.add(link(3, 1, 2, 1));
    links.add(link(1, 1, 2, 1));
    links.add(link(2, 1, 1, 1));
    pass(500);
    assertThat(links).containsExactlyInAnyOrder(link(1, 1, 2, 1), link(2, 1, 1, 1));
  }

  @Test
  void portThatWasPluggedElsewhereIsJudgedAnew() {
    FakeSwitch one = connect(1, 1);
    FakeSwitch two = connect(2, 1);
    node.master(one);
    node.master(two);
    wire(1, 1, 2, 1);
    pass(3_000);
    wires.clear();
    node.discovery.portStatus(two, PortChange.MODIFIED, two.setPort(1, false));
    node.discovery.portStatus(two, PortChange.MODIFIED, two.setPort(1, true));
    pass(10);
    awakeHosts.add(port(2, 1));
    wire(1, 1, 2, 1);
    pass(10_000);
    assertThat(links).as("a host is awake where the link was").isEmpty();
  }

  /** Hosts at all ports of a switch that relay probes are one cause, and the switch is the peer. */
  @Test
  void switchWhoseHostsRelayProbesHasTenLinesAMinute() {
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    Logger log = (Logger) LoggerFactory.getLogger(LinkClaims.class);
    log.addAppender(lines);
    node.master(connect(0x71, 8));
    node.master(connect(0x72, 8));
    pass(3_000);
    for (int port = 1; port <= 8; port++) {
      awakeHosts.add(port(0x72, port));
      wire(0x71, port, 0x72, port);
    }
    pass(30_000);
    log.detachAppender(lines);
    assertThat(links).isEmpty();
    assertThat(lines.list.stream().filter(line -> isAbout(line, "of:0000000000000072/")))
        .hasSize(LogLimit.LINES);
  }

  private static boolean isAbout(ILoggingEvent line, String port) {
    return line.getFormattedMessage().startsWith(port);
  }
}
