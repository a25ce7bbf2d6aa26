package io.lockstep.bench.openflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LoadPlanTest {
  private final LoadPlan plan = new LoadPlan(3, 4, 9, 0x100);

  @Test
  void everyHostHasItsOwnAddresses() {
    Set<Long> macs = new HashSet<>();
    Set<Integer> ips = new HashSet<>();
    for (int index = 0; index < plan.switches(); index++) {
      for (int host = 0; host < plan.hosts(); host++) {
        macs.add(plan.mac(index, host));
        ips.add(plan.ip(index, host));
      }
    }
    assertThat(macs).hasSize(27);
    assertThat(ips).hasSize(27);
  }

  @Test
  void addressesAreLocalUnicast() {
    assertThat(plan.mac(1, 5)).isEqualTo(0x02_000101_0005L);
    assertThat(plan.ip(1, 5)).isEqualTo(0x0a00_1005);
  }

  @Test
  void aHostIsFoundByItsAddressAtItsSwitchAlone() {
    assertThat(plan.host(1, plan.mac(1, 5))).isEqualTo(5);
    assertThat(plan.host(0, plan.mac(1, 5))).isEqualTo(-1);
    assertThat(plan.host(1, plan.mac(1, 8) + 1)).as("one too many").isEqualTo(-1);
    assertThat(plan.host(1, PacketIns.BROADCAST)).isEqualTo(-1);
  }

  @Test
  void clientsOfTheVirtualIpAreAtTheLastPortWhereNoMemberIs() {
    ConnectCycle cycle = new ConnectCycle(plan);
    Set<Integer> clients = new HashSet<>();
    for (int i = 0; i < 4; i++) {
      cycle.next();
      clients.add(cycle.source());
      assertThat(cycle.destination()).isEqualTo(LoadPlan.VIRTUAL);
    }
    assertThat(clients).containsExactlyInAnyOrder(3, 7);
    assertThat(plan.mac(1, LoadPlan.VIRTUAL)).isEqualTo(0x024c_0a00_1fffL);
    ByteBuf syn = Unpooled.buffer();
    PacketIns.syn(syn, plan, 1, 3, 5_000, 7);
    syn.skipBytes(syn.readableBytes() - 60);
    assertThat(ByteBufUtil.hexDump(syn))
        .isEqualTo(
            "024c0a001fff"
                + "020001010003"
                + "0800"
                + "45000028000000004006"
                + "36cf"
                + "0a0010030a001fff"
                + "13880050"
                + "00001388"
                + "00000000"
                + "5002ffff00000000"
                + "000000000000");
  }

  @Test
  void aCycleNamesEveryPairOfPortsApartOnce() {
    FlowCycle cycle = new FlowCycle(plan);
    int pairs = 0;
    for (int source = 0; source < plan.hosts(); source++) {
      for (int destination = 0; destination < plan.hosts(); destination++) {
        pairs += plan.port(source) == plan.port(destination) ? 0 : 1;
      }
    }
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < pairs; i++) {
      cycle.next();
      assertThat(plan.port(cycle.source())).isNotEqualTo(plan.port(cycle.destination()));
      seen.add((long) cycle.source() << 32 | cycle.destination());
    }
    assertThat(seen).hasSize(pairs);
    cycle.next();
    assertThat(seen).contains((long) cycle.source() << 32 | cycle.destination());
  }

  @Test
  void boundsAreChecked() {
    assertThatThrownBy(() -> new LoadPlan(0, 4, 8, 1)).hasMessageContaining("switches");
    assertThatThrownBy(() -> new LoadPlan(1, 1, 8, 1)).hasMessageContaining("ports");
    assertThatThrownBy(() -> new LoadPlan(1, 4, 3, 1)).hasMessageContaining("host");
  }
}
