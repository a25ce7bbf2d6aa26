package io.lockstep.apps.loadbalancer;

import static io.lockstep.apps.loadbalancer.PlayedNetwork.instructions;
import static io.lockstep.apps.loadbalancer.PlayedPacket.device;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.loadbalancer.frame.ArpPacket;
import io.lockstep.apps.loadbalancer.frame.EthernetHead;
import io.lockstep.apps.loadbalancer.frame.IcmpEcho;
import io.lockstep.apps.loadbalancer.frame.Ipv4Packet;
import io.lockstep.apps.loadbalancer.frame.TcpHead;
import io.lockstep.apps.loadbalancer.state.BalancerCommands;
import io.lockstep.apps.loadbalancer.state.BalancerStore;
import io.lockstep.apps.loadbalancer.state.BalancerTables;
import io.lockstep.apps.loadbalancer.state.Pool;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkEvent;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Plays the timers of a switch: what is started ends at once, unless an answer stops it. */
class HealthProbesTest {
  private static final long M1 = 0x0200_0000_0001L;
  private static final int M1_IP = BalancerStore.ip("10.0.0.1");

  private final PlayedNetwork network = new PlayedNetwork();
  private final List<String> timers = new ArrayList<>();
  private final List<byte[]> probes = new ArrayList<>();

  private void service(Pool.Probe probe) {
    network.store.withWeb(1, 1);
    network.store.done(
        BalancerCommands.put(new Pool("web", Pool.Method.ROUND_ROBIN, probe, 500, 3, 2), -1));
  }

  private void play(Decision decision) {
    for (Instruction instruction : instructions(decision)) {
      if (instruction instanceof Instruction.StartTimer start) {
        timers.remove(start.name());
        timers.add(start.name());
      } else if (instruction instanceof Instruction.StopTimer stop) {
        timers.remove(stop.name());
      } else if (instruction instanceof Instruction.Emit emit) {
        probes.add(emit.frame());
      }
    }
  }

  private void pass() {
    String timer = timers.remove(0);
    play(network.tell(new NetworkEvent.TimerExpired(device(1), timer, 500)));
  }

  private boolean isDown() {
    return !network.store.entries(BalancerTables.HEALTH).isEmpty();
  }

  private byte[] lastProbe() {
    return probes.get(probes.size() - 1);
  }

  /** What the member at port 3 answers to the last ARP probe. */
  private PlayedPacket arpAnswer() {
    byte[] probe = lastProbe();
    EthernetHead head = Objects.requireNonNull(EthernetHead.of(probe));
    ArpPacket arp = Objects.requireNonNull(ArpPacket.of(probe, head));
    return new PlayedPacket(1, 3, arp.reply(probe, M1));
  }

  /** What the member at port 3 answers to the last ICMP probe, or another host at its port. */
  private PlayedPacket echoAnswer(long port) {
    byte[] probe = lastProbe();
    EthernetHead head = Objects.requireNonNull(EthernetHead.of(probe));
    Ipv4Packet ip = Objects.requireNonNull(Ipv4Packet.of(probe, head));
    return new PlayedPacket(1, port, Objects.requireNonNull(IcmpEcho.reply(probe, ip)));
  }

  @Test
  void aMemberThatIsPingedIsOutAfterMissesAndBackAfterHits() {
    service(Pool.Probe.ICMP);
    play(network.tell(new NetworkEvent.Mastered(device(1))));
    pass();
    assertThat(timers).containsExactly("miss/1/m1");
    EthernetHead head = Objects.requireNonNull(EthernetHead.of(lastProbe()));
    assertThat(head.source()).as("from the virtual IP").isEqualTo(0x024c_0a00_0064L);
    assertThat(head.destination()).isEqualTo(M1);
    assertThat(instructions(network.send(echoAnswer(1)))).as("from another port").isEmpty();
    play(network.send(echoAnswer(3)));
    assertThat(timers).containsExactly("next/0/m1");
    for (int missed = 0; missed < 3; missed++) {
      pass();
      assertThat(isDown()).isFalse();
    }
    byte[] other = echoAnswer(3).frame().clone();
    other[14 + 20 + 4]++; // the identifier
    other[14 + 20 + 2]--; // and the checksum
    assertThat(network.send(new PlayedPacket(1, 3, other)))
        .as("the answer to a ping that is no probe")
        .isEqualTo(Decision.DROP);
    pass();
    assertThat(isDown()).isTrue();
    for (int hit = 0; hit < 2; hit++) {
      assertThat(isDown()).as("after %d hits", hit).isTrue();
      pass();
      play(network.send(echoAnswer(3)));
    }
    assertThat(isDown()).isFalse();
    assertThat(timers).containsExactly("next/0/m1");
  }

  @Test
  void aMemberIsOutAfterMissesAndBackAfterHits() {
    service(Pool.Probe.ARP);
    play(network.tell(new NetworkEvent.Mastered(device(1))));
    assertThat(timers).as("m2 is at another switch").containsExactly("next/0/m1");
    pass();
    assertThat(timers).containsExactly("miss/1/m1");
    play(network.send(arpAnswer()));
    assertThat(timers).containsExactly("next/0/m1");
    int asked = network.asked;
    pass();
    pass();
    pass();
    assertThat(probes).hasSize(4);
    assertThat(isDown()).isFalse();
    assertThat(network.asked).as("nothing changed").isEqualTo(asked);
    pass();
    assertThat(isDown()).isTrue();
    assertThat(timers).containsExactly("next/0/m1");
    pass();
    play(network.send(arpAnswer()));
    assertThat(isDown()).as("one hit is not enough").isTrue();
    assertThat(timers).containsExactly("next/1/m1");
    pass();
    play(network.send(arpAnswer()));
    assertThat(isDown()).isFalse();
    assertThat(timers).containsExactly("next/0/m1");
  }

  @Test
  void aClosedPortIsAMissAndAnOpenOneIsReset() {
    service(Pool.Probe.TCP);
    play(network.tell(new NetworkEvent.Mastered(device(1))));
    pass();
    String syn = HexFormat.of().formatHex(lastProbe());
    assertThat(syn).as("from port 1 to 8080").contains("00011f904c420000");
    byte[] answer =
        TcpHead.syn(0x024c_0a00_0064L, M1, 0, M1_IP, BalancerStore.ip("10.0.0.100"), 8_080, 1, 77);
    byte[] closed = answer.clone();
    closed[14 + 20 + 13] = 0x14;
    assertThat(network.send(new PlayedPacket(1, 3, closed))).isEqualTo(Decision.DROP);
    assertThat(timers).containsExactly("miss/1/m1");
    answer[14 + 20 + 13] = 0x12;
    answer[14 + 20 + 8] = 0x4c;
    answer[14 + 20 + 9] = 0x42;
    answer[14 + 20 + 11] = 1;
    play(network.send(new PlayedPacket(1, 3, answer)));
    assertThat(timers).containsExactly("next/0/m1");
    assertThat(lastProbe()[14 + 20 + 13]).as("a reset").isEqualTo((byte) 0x04);
  }

  @Test
  void aMemberThatNobodyKnowsIsAskedForAndReported() {
    service(Pool.Probe.ARP);
    network.hosts.removeIf(host -> host.address().toLong() == M1);
    byte[] syn =
        TcpHead.syn(
            0x024c_0a00_0064L,
            0x0200_0000_000aL,
            0,
            BalancerStore.ip("10.0.0.200"),
            BalancerStore.ip("10.0.0.100"),
            5_000,
            80,
            7);
    play(network.send(new PlayedPacket(1, 1, syn)));
    assertThat(timers).containsExactly("find/0/m1");
    assertThat(probes).as("all hosts are asked").hasSize(1);
    assertThat(lastProbe()[0]).isEqualTo((byte) 0xff);
    pass();
    assertThat(isDown()).isTrue();
    assertThat(network.send(new PlayedPacket(1, 1, syn)))
        .as("the next SYN takes another member")
        .satisfies(decision -> assertThat(instructions(decision)).hasSize(4));
  }

  @Test
  void aMemberWhosePlaceIsForgottenIsMissed() {
    service(Pool.Probe.ARP);
    play(network.tell(new NetworkEvent.Mastered(device(1))));
    network.hosts.removeIf(host -> host.address().toLong() == M1);
    for (int i = 0; i < 4; i++) {
      pass();
    }
    assertThat(isDown()).isTrue();
    assertThat(timers).isEmpty();
    play(network.tell(new NetworkEvent.TimePassed(device(1))));
    assertThat(probes).as("each minute all hosts are asked").hasSize(1);
  }

  @Test
  void aMemberThatIsNotProbedAnyLongerIsNotReported() {
    service(Pool.Probe.NONE);
    network.hosts.removeIf(host -> host.address().toLong() == M1);
    int asked = network.asked;
    network.tell(new NetworkEvent.TimerExpired(device(1), "find/0/m1", 1));
    assertThat(network.asked).isEqualTo(asked);
    assertThat(isDown()).isFalse();
  }

  @Test
  void aMemberThatDoesNotAnswerHasOneTimerHoweverOftenProbesBegin() {
    service(Pool.Probe.ARP);
    play(network.tell(new NetworkEvent.Mastered(device(1))));
    for (int step = 0; step < 40; step++) {
      pass();
      assertThat(timers).as("after step %d", step).hasSize(1);
      play(network.tell(new NetworkEvent.Mastered(device(1))));
      assertThat(timers).hasSizeLessThanOrEqualTo(2);
    }
    assertThat(isDown()).as("the misses go on being counted").isTrue();
    for (int hit = 0; hit < 2; hit++) {
      while (!timers.get(0).startsWith("miss/1")) {
        pass();
      }
      play(network.tell(new NetworkEvent.Mastered(device(1))));
      play(network.send(arpAnswer()));
      assertThat(timers).as("after an answer").hasSize(1);
    }
    assertThat(isDown()).isFalse();
  }

  @Test
  void timersOfMembersThatAreGoneEnd() {
    service(Pool.Probe.ARP);
    for (String name : List.of("next/0/none", "miss/1/none", "find/0/none", "miss/1/m2")) {
      Decision decision = network.tell(new NetworkEvent.TimerExpired(device(1), name, 1));
      assertThat(decision).as(name).isEqualTo(Decision.DROP);
    }
  }
}
