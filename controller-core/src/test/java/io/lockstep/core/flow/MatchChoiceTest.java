package io.lockstep.core.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.KnownHost;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketView;
import io.lockstep.core.flow.entry.HeaderSpace;
import io.lockstep.core.flow.entry.HeaderSpace.Inexpressible;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.topology.KnownHosts;
import io.lockstep.core.topology.NetworkPicture;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.Criterion;

class MatchChoiceTest {
  private static final long A = 0x0200_0000_000aL;
  private static final long B = 0x0200_0000_000bL;
  private static final int IP_A = 0x0a00_0001;
  private static final int IP_B = 0x0a00_0002;
  private static final int IPV4 = 0x0800;
  private static final int ARP = 0x0806;
  private static final Map<String, MatchChoice> CHOICES =
      BuiltInProfiles.names().stream()
          .collect(
              Collectors.toUnmodifiableMap(
                  name -> name, name -> MatchChoice.of(BuiltInProfiles.get(name))));
  private static final NetworkView NETWORK =
      new NetworkPicture(1, List.of(), List.of())
          .with(new KnownHosts(List.of(host(A, 1, IP_A), host(B, 2, IP_B))));

  private static MatchChoice choice(String profile) {
    return Objects.requireNonNull(CHOICES.get(profile), profile);
  }

  private static KnownHost host(long mac, long port, int ip) {
    return new KnownHost(
        MacAddress.valueOf(mac),
        -1,
        new SwitchPort(1, port).connectPoint(),
        List.of(Ip4Address.valueOf(ip)));
  }

  /** A frame at port 1, with tags before its EtherType. */
  private record Packet(byte[] frame) implements PacketView {
    static Packet of(long from, long to, int ipFrom, int ipTo, int type, int... tags) {
      ByteBuffer frame = ByteBuffer.allocate(80);
      frame.putShort((short) (to >>> 32)).putInt((int) to);
      frame.putShort((short) (from >>> 32)).putInt((int) from);
      for (int tag : tags) {
        frame.putShort((short) 0x8100).putShort((short) tag);
      }
      frame.putShort((short) type).put((byte) 0x45).put(new byte[11]).putInt(ipFrom).putInt(ipTo);
      return new Packet(frame.array());
    }

    int tags() {
      int tags = 0;
      while (ByteBuffer.wrap(frame).getShort(12 + 4 * tags) == (short) 0x8100) {
        tags++;
      }
      return tags;
    }

    @Override
    public DeviceId deviceId() {
      return DeviceId.deviceId("of:0000000000000001");
    }

    @Override
    public long dpid() {
      return 1;
    }

    @Override
    public PortNumber inPort() {
      return PortNumber.portNumber(1);
    }

    @Override
    public MacAddress source() {
      return MacAddress.valueOf(Arrays.copyOfRange(frame, 6, 12));
    }

    @Override
    public MacAddress destination() {
      return MacAddress.valueOf(Arrays.copyOf(frame, 6));
    }

    @Override
    public int etherType() {
      return Short.toUnsignedInt(ByteBuffer.wrap(frame).getShort(12 + 4 * tags()));
    }

    @Override
    public int vlanId() {
      return tags() == 0 ? -1 : ByteBuffer.wrap(frame).getShort(14) & 0xfff;
    }

    /** What the learning switch can bear. */
    TrafficSelector widest() {
      return DefaultTrafficSelector.builder()
          .matchInPort(inPort())
          .matchVlanId(tags() == 0 ? VlanId.NONE : VlanId.vlanId((short) vlanId()))
          .matchEthSrc(source())
          .matchEthDst(destination())
          .build();
    }

    TrafficSelector chosen(String profile) {
      return choice(profile).choose(widest(), this, NETWORK);
    }

    /** The packet as a match of its own. */
    TernaryMatch asMatch() {
      int payload = 14 + 4 * tags();
      ByteBuffer bytes = ByteBuffer.wrap(frame);
      TernaryMatch match =
          TernaryMatch.any()
              .with(HeaderField.IN_PORT, 1)
              .with(HeaderField.ETH_DST, destination().toLong())
              .with(HeaderField.ETH_SRC, source().toLong())
              .with(HeaderField.VLAN_VID, tags() == 0 ? 0 : 0x1000 | vlanId())
              .with(HeaderField.ETH_TYPE, etherType());
      return etherType() == IPV4
          ? match
              .with(HeaderField.IPV4_SRC, Integer.toUnsignedLong(bytes.getInt(payload + 12)))
              .with(HeaderField.IPV4_DST, Integer.toUnsignedLong(bytes.getInt(payload + 16)))
          : match;
    }
  }

  private static List<Criterion.Type> added(TrafficSelector chosen, Packet packet) {
    List<Criterion.Type> types = new ArrayList<>();
    chosen.criteria().stream()
        .filter(one -> !packet.widest().criteria().contains(one))
        .forEach(one -> types.add(one.type()));
    return types;
  }

  /** What is added for an IPv4 packet between hosts that claim their addresses. */
  @ParameterizedTest
  @CsvSource({
    "ovs-small, true",
    "5130, true",
    "5130-mac-ip, true",
    "5700, true",
    "ideal, false",
    "2920, false",
    "3500yl-1.0, false",
    "3500yl-1.3, false"
  })
  void addressesAreAddedWhereHardwareHoldsThemBesideTheSource(String profile, boolean narrowed) {
    Packet packet = Packet.of(A, B, IP_A, IP_B, IPV4);
    List<Criterion.Type> added = added(packet.chosen(profile), packet);
    if (narrowed) {
      assertThat(added)
          .containsExactlyInAnyOrder(
              Criterion.Type.ETH_TYPE, Criterion.Type.IPV4_SRC, Criterion.Type.IPV4_DST);
    } else {
      assertThat(packet.chosen(profile)).isEqualTo(packet.widest());
    }
  }

  @Test
  void addressesOfOthersAreLeftOutSoThatARouterTakesOneEntry() {
    Packet one = Packet.of(A, B, IP_A, 0x0808_0808, IPV4);
    Packet other = Packet.of(A, B, IP_A, 0x0101_0101, IPV4);
    assertThat(added(one.chosen("ovs-small"), one)).containsExactly(Criterion.Type.ETH_TYPE);
    assertThat(other.chosen("ovs-small")).isEqualTo(one.chosen("ovs-small"));
    Packet forged = Packet.of(A, B, IP_B, IP_B, IPV4);
    assertThat(added(forged.chosen("ovs-small"), forged)).containsExactly(Criterion.Type.ETH_TYPE);
  }

  /** The picture of the hosts comes after their first packets. */
  @Test
  void addressesAreAddedWhereNoneIsKnownYet() {
    Packet packet = Packet.of(0x0200_0000_0001L, 0x0200_0000_0002L, IP_A, IP_B, IPV4);
    assertThat(added(packet.chosen("ovs-small"), packet)).hasSize(3);
    Packet toKnown = Packet.of(0x0200_0000_0001L, B, IP_A, 0x0808_0808, IPV4);
    assertThat(added(toKnown.chosen("ovs-small"), toKnown))
        .containsExactly(Criterion.Type.ETH_TYPE);
  }

  @Test
  void otherTypesAreKeptApartSoThatTheirEntriesTakeNoIpv4() {
    Packet arp = Packet.of(A, B, IP_A, IP_B, ARP);
    assertThat(added(arp.chosen("ovs-small"), arp)).containsExactly(Criterion.Type.ETH_TYPE);
    Packet tagged = Packet.of(A, B, IP_A, IP_B, ARP, 7);
    assertThat(added(tagged.chosen("ovs-small"), tagged)).containsExactly(Criterion.Type.ETH_TYPE);
  }

  /** Switches differ on the type behind two tags, and a length is no type. */
  @Test
  void framesThatSwitchesMayReadOtherwiseKeepTheWidestMatch() {
    Packet twice = Packet.of(A, B, IP_A, IP_B, IPV4, 7, 8);
    assertThat(twice.chosen("ovs-small")).isEqualTo(twice.widest());
    Packet length = Packet.of(A, B, IP_A, IP_B, 100);
    assertThat(length.chosen("ovs-small")).isEqualTo(length.widest());
    Packet cut = new Packet(Arrays.copyOf(Packet.of(A, B, IP_A, IP_B, IPV4).frame(), 20));
    assertThat(added(cut.chosen("ovs-small"), cut)).containsExactly(Criterion.Type.ETH_TYPE);
  }

  @Test
  void aMatchThatNamesATypeIsLeftAlone() {
    Packet packet = Packet.of(A, B, IP_A, IP_B, IPV4);
    TrafficSelector own =
        DefaultTrafficSelector.builder(packet.widest()).matchEthType((short) IPV4).build();
    assertThat(choice("ovs-small").choose(own, packet, NETWORK)).isSameAs(own);
  }

  /** What the source, its port and its VLAN are is in every choice, so no other one is hidden. */
  @Test
  void everyChoiceIsWithinTheWidestMatchAndTakesThePacket() throws Inexpressible {
    Random random = new Random(5);
    int narrowed = 0;
    for (int i = 0; i < 1_000; i++) {
      int[] tags = random.ints(random.nextInt(3), 0, 3).toArray();
      long from = random.nextBoolean() ? A : B;
      int type = List.of(IPV4, IPV4, ARP, 0x86dd, 60).get(random.nextInt(5));
      int ip = random.nextBoolean() ? IP_A : IP_B;
      Packet packet = Packet.of(from, A + B - from, ip, IP_A + IP_B - ip, type, tags);
      TernaryMatch widest = HeaderSpace.match(packet.widest());
      for (String profile : BuiltInProfiles.names()) {
        TernaryMatch chosen = HeaderSpace.match(packet.chosen(profile));
        assertThat(widest.covers(chosen)).as("%s: %s", profile, chosen).isTrue();
        assertThat(chosen.covers(packet.asMatch())).as("%s: %s", profile, chosen).isTrue();
        narrowed += chosen.equals(widest) ? 0 : 1;
      }
    }
    assertThat(narrowed).isPositive();
  }
}
