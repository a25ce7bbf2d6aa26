package io.lockstep.core.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.mastership.ClaimDomain;
import io.lockstep.core.mastership.Fence;
import io.lockstep.core.mastership.PureStore;
import io.lockstep.core.node.CoreComponents;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The micro component {@code hosts.change}: fences, bounds, bytes. */
class ChangeHostsTest {
  private static final Fence EAST = new Fence("east", 1);
  private static final Fence WEST = new Fence("west", 1);
  private static final SwitchPort PLACE = new SwitchPort(1, 2);
  private static final HostKey KEY = new HostKey(0x0200_0000_0001L, -1);

  private final PureStore store = new PureStore(CoreComponents.all());
  private final long n1 = store.open("n1");
  private final HostTableReader reader = new HostTableReader(store, n1);

  ChangeHostsTest() {
    claim("east", 0);
    claim("west", 0);
  }

  private void claim(String domain, long minimumEpoch) {
    store.call(n1, ClaimDomain.COMPONENT, ClaimDomain.Claim.of(domain, "n1", minimumEpoch, 0));
  }

  private static Bytes see(Fence fence, long host) {
    HostSighting seen = HostSighting.of(new HostKey(host, -1), PLACE);
    return ChangeHosts.part(fence, new HostChange.See(seen));
  }

  @Test
  void changeWhoseFenceFailsChangesNothingAndItsNeighboursTakeEffect() {
    claim("west", 5);
    List<Bytes> parts = List.of(see(EAST, 1), see(WEST, 2), see(EAST, 3));
    assertThat(store.call(n1, ChangeHosts.COMPONENT, parts))
        .containsExactly(HostOutcome.DONE, HostOutcome.FENCED, HostOutcome.DONE);
    assertThat(reader.hosts()).containsOnlyKeys(new HostKey(1, -1), new HostKey(3, -1));
    long n2 = store.open("n2");
    assertThat(store.call(n2, ChangeHosts.COMPONENT, List.of(see(EAST, 4))))
        .as("another node's session")
        .containsExactly(HostOutcome.FENCED);
    assertThat(reader.contradictions()).isEmpty();
  }

  @Test
  void operationConcernsAsManyHostsAsAllowedAndNotOneMore() {
    List<Bytes> most = new ArrayList<>();
    for (int i = 0; i < ChangeHosts.MAX_HOSTS; i++) {
      most.add(see(EAST, i + 1));
    }
    assertThat(store.call(n1, ChangeHosts.COMPONENT, most)).containsOnly(HostOutcome.DONE);
    assertThatThrownBy(
            () ->
                ChangeHosts.COMPONENT.command(
                    Collections.nCopies(ChangeHosts.MAX_HOSTS + 1, most.get(0))))
        .hasMessageContaining("257 changes of hosts");
    List<HostKey> all = List.copyOf(reader.hosts().keySet());
    Bytes expire = ChangeHosts.part(EAST, new HostChange.Expire(PLACE, all));
    assertThat(store.run(n1, ChangeHosts.COMPONENT, List.of(expire, see(EAST, 999))))
        .isInstanceOfSatisfying(
            Reply.Rejected.class,
            rejected -> assertThat(rejected.message()).contains("257 hosts in one operation"));
    assertThat(reader.hosts()).hasSize(ChangeHosts.MAX_HOSTS);
    assertThat(store.call(n1, ChangeHosts.COMPONENT, List.of(expire)))
        .containsExactly(HostOutcome.DONE);
    assertThat(reader.hosts()).isEmpty();
    assertThat(reader.contradictions()).isEmpty();
  }

  /** The longest records of all: a call stays within the store's bound of writes. */
  @Test
  void asManyHostsAsAllowedWithAllAddressesExpireAtOnce() {
    List<HostKey> hosts = new ArrayList<>();
    for (int i = 0; i < ChangeHosts.MAX_HOSTS; i++) {
      HostKey host = new HostKey(1 + i, -1);
      hosts.add(host);
      List<Bytes> parts = new ArrayList<>();
      for (int ip = 0; ip < HostRecord.MAX_IPS; ip++) {
        SwitchPort port = new SwitchPort(i % 4, 1);
        Ip6 ip6 = new Ip6(i, ip + 2);
        HostSighting four = new HostSighting(host, port, 1 + i * 8 + ip, null, true);
        HostSighting six = new HostSighting(host, port, 0, ip6, true);
        parts.add(ChangeHosts.part(EAST, new HostChange.See(four)));
        parts.add(ChangeHosts.part(EAST, new HostChange.See(six)));
      }
      assertThat(store.call(n1, ChangeHosts.COMPONENT, parts)).containsOnly(HostOutcome.DONE);
    }
    List<Bytes> parts = new ArrayList<>();
    for (int dpid = 0; dpid < 4; dpid++) {
      List<HostKey> there = new ArrayList<>();
      for (int i = dpid; i < hosts.size(); i += 4) {
        there.add(hosts.get(i));
      }
      parts.add(ChangeHosts.part(EAST, new HostChange.Expire(new SwitchPort(dpid, 1), there)));
    }
    assertThat(store.call(n1, ChangeHosts.COMPONENT, parts)).containsOnly(HostOutcome.DONE);
    assertThat(reader.hosts()).isEmpty();
    assertThat(reader.contradictions()).isEmpty();
  }

  private static List<HostChange> eachKind() {
    HostSighting seen = new HostSighting(KEY, PLACE, 0x0a00_0001, new Ip6(1, 2), true);
    return List.of(
        new HostChange.See(seen),
        new HostChange.Move(seen, new SwitchPort(3, 4), 77),
        new HostChange.Expire(PLACE, List.of(KEY, new HostKey(5, 7))),
        new HostChange.Adopt(List.of(KEY)));
  }

  @Test
  void argumentHasTheseBytes() {
    HostSighting seen = new HostSighting(KEY, PLACE, 0x0a00_0001, null, true);
    Bytes argument =
        ChangeHosts.COMPONENT
            .command(List.of(ChangeHosts.part(EAST, new HostChange.Move(seen, PLACE, 5))))
            .argument();
    String port = "00000000000000010000000000000002";
    assertThat(HexFormat.of().formatHex(argument.toArray()))
        .isEqualTo(
            "010148"
                + "0465617374"
                + "0000000000000001"
                + "02"
                + "0000020000000001ffffffff"
                + port
                + "0a000001"
                + "00"
                + "01"
                + port
                + "0000000000000005");
  }

  @Test
  void argumentThatIsCutAnywhereIsRefused() {
    List<Bytes> parts = eachKind().stream().map(one -> ChangeHosts.part(EAST, one)).toList();
    byte[] whole = ChangeHosts.COMPONENT.command(parts).argument().toArray();
    for (int length = 0; length < whole.length; length++) {
      refuses(Bytes.wrap(Arrays.copyOf(whole, length)));
    }
    refuses(Bytes.wrap(Arrays.copyOf(whole, whole.length + 1)));
    assertThat(reader.hosts()).isEmpty();
    assertThat(store.call(n1, ChangeHosts.COMPONENT, parts)).hasSize(4);
  }

  private void refuses(Bytes argument) {
    assertThat(store.run(n1, new Command.Call(ChangeHosts.COMPONENT.name(), argument)))
        .isInstanceOf(Reply.Rejected.class);
  }

  /** Whatever the bytes are: the call is refused or carried out, and indexes still agree. */
  @Test
  void garbageLeavesIndexesThatAgree() {
    List<Bytes> parts = eachKind().stream().map(one -> ChangeHosts.part(EAST, one)).toList();
    byte[] whole = ChangeHosts.COMPONENT.command(parts).argument().toArray();
    Random random = new Random(1);
    for (int i = 0; i < 2_000; i++) {
      byte[] garbled = whole.clone();
      for (int j = 0; j <= i % 3; j++) {
        garbled[random.nextInt(garbled.length)] = (byte) random.nextInt();
      }
      assertThat(store.run(n1, new Command.Call(ChangeHosts.COMPONENT.name(), Bytes.wrap(garbled))))
          .isInstanceOfAny(Reply.Rejected.class, Reply.Returned.class);
    }
    assertThat(reader.contradictions()).isEmpty();
  }

  @Test
  void recordComesBackWithAllItCanHave() {
    List<Integer> ips = new ArrayList<>();
    List<Ip6> ip6s = new ArrayList<>();
    for (int i = 0; i < HostRecord.MAX_IPS; i++) {
      ips.add(-1 - i);
      ip6s.add(new Ip6(-1, i));
    }
    HostEntity.Stay stay = new HostEntity.Stay(PLACE, 1, Long.MAX_VALUE);
    HostEntity largest =
        new HostEntity(
            new HostRecord(PLACE, ips, ip6s, -1, new Ip6(-1, -1), Long.MAX_VALUE),
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            Collections.nCopies(HostEntity.MAX_FORMER, stay));
    Bytes bytes = HostEntityTable.CODEC.encodeValue(largest);
    assertThat(bytes.length()).isEqualTo(HostEntityTable.MAX_BYTES);
    assertThat(HostEntityTable.CODEC.decodeValue(bytes)).isEqualTo(largest);
    for (int length = 0; length < bytes.length(); length++) {
      Bytes cut = Bytes.wrap(Arrays.copyOf(bytes.toArray(), length));
      assertThatThrownBy(() -> HostEntityTable.CODEC.decodeValue(cut))
          .isInstanceOf(RuntimeException.class);
    }
    byte[] newer = bytes.toArray();
    newer[0] = 2;
    assertThatThrownBy(() -> HostEntityTable.CODEC.decodeValue(Bytes.wrap(newer)))
        .hasMessageContaining("newer");
  }

  @Test
  void recordHasTheseBytes() {
    HostEntity host =
        new HostEntity(
            new HostRecord(PLACE, List.of(0x0a00_0001), List.of(), 0, null, 3),
            1,
            4,
            List.of(new HostEntity.Stay(new SwitchPort(5, 6), 7, 8)));
    assertThat(HexFormat.of().formatHex(HostEntityTable.CODEC.encodeValue(host).toArray()))
        .isEqualTo(
            "01"
                + "00000000000000010000000000000004"
                + "01"
                + "00000000000000050000000000000006"
                + "00000000000000070000000000000008"
                + "24"
                + "03"
                + "00000000000000010000000000000002"
                + "0000000000000003"
                + "010a000001"
                + "00"
                + "00000000"
                + "00");
  }
}
