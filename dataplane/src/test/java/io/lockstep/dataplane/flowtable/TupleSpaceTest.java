package io.lockstep.dataplane.flowtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.packet.EtherTypes;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.packet.Packet;
import io.lockstep.dataplane.packet.SampleFrames;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TupleSpaceTest {
  /** The look-up by groups against one comparison per entry, on random entries and packets. */
  @Test
  void findsWhatALinearScanFinds() {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      TupleSpace space = new TupleSpace();
      List<FlowEntry> all = new ArrayList<>();
      for (int step = 0; step < 400; step++) {
        if (random.nextInt(4) == 0 && !all.isEmpty()) {
          space.remove(all.remove(random.nextInt(all.size())));
        } else {
          FlowMod mod = FlowMod.add(randomMatch(random), random.nextInt(6), Instructions.NONE);
          FlowEntry entry = new FlowEntry(mod, 0, step, Location.HARDWARE, 1, 0);
          all.add(entry);
          space.add(entry);
        }
        Packet packet = randomPacket(random);
        assertThat(space.find(packet))
            .as("seed %d step %d", seed, step)
            .isSameAs(scan(all, packet));
      }
    }
  }

  private static @Nullable FlowEntry scan(List<FlowEntry> all, Packet packet) {
    FlowEntry best = null;
    for (FlowEntry entry : all) {
      if (entry.match().matches(packet)
          && (best == null
              || entry.priority() > best.priority()
              || (entry.priority() == best.priority() && entry.serial() < best.serial()))) {
        best = entry;
      }
    }
    return best;
  }

  private static FlowMatch randomMatch(Random random) {
    FlowMatch.Builder builder = FlowMatch.builder();
    if (random.nextBoolean()) {
      builder.exact(OxmField.IN_PORT, 1 + random.nextInt(3));
    }
    if (random.nextBoolean()) {
      builder.exact(OxmField.ETH_TYPE, EtherTypes.IPV4);
      long mask = 0xffff_ffffL << random.nextInt(33) & 0xffff_ffffL;
      builder.masked(OxmField.IPV4_DST, 0x0a000000 + random.nextInt(4), mask);
      if (random.nextBoolean()) {
        builder.exact(OxmField.IP_PROTO, EtherTypes.PROTO_TCP);
        builder.exact(OxmField.TCP_DST, random.nextInt(3));
      }
    } else if (random.nextBoolean()) {
      builder.masked(OxmField.VLAN_VID, 0x1000 + random.nextInt(3), 0x1000 | random.nextInt(4));
    }
    return builder.build();
  }

  private static Packet randomPacket(Random random) {
    byte[] frame =
        switch (random.nextInt(3)) {
          case 0 -> SampleFrames.echo();
          case 1 -> SampleFrames.tcp(1, random.nextInt(3));
          default -> SampleFrames.arp();
        };
    if (random.nextInt(3) == 0) {
      frame = SampleFrames.tagged(frame, random.nextInt(3), 0);
    }
    Packet packet = new Packet(frame, 1 + random.nextInt(3));
    packet.set(OxmField.IPV4_DST, 0x0a000000 + random.nextInt(4), 0);
    return packet;
  }
}
