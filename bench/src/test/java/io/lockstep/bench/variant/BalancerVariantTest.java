package io.lockstep.bench.variant;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.loadbalancer.LoadBalancer;
import io.lockstep.apps.loadbalancer.frame.TcpHead;
import io.lockstep.apps.loadbalancer.state.BalancerCommands;
import io.lockstep.apps.loadbalancer.state.ConfigOutcome;
import io.lockstep.apps.loadbalancer.state.Configure;
import io.lockstep.apps.loadbalancer.state.Member;
import io.lockstep.apps.loadbalancer.state.Pool;
import io.lockstep.apps.loadbalancer.state.ServiceAddress;
import io.lockstep.apps.loadbalancer.state.TransportProtocol;
import io.lockstep.apps.loadbalancer.state.VirtualIp;
import io.lockstep.bench.variant.BalancedService.Server;
import io.lockstep.bench.variant.VariantNode.TracedApplication;
import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.ApplicationProvider;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.KnownHost;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.app.TablePicture;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.topology.KnownHosts;
import io.lockstep.core.topology.NetworkPicture;
import io.lockstep.core.topology.TablePictures;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.MacAddress;

/** The load balancer in each column of the paper's tables, on the real state machine. */
class BalancerVariantTest {
  private static final long CLIENT = 0x0200_0000_000aL;
  private static final long VIRTUAL = 0x024c_0a00_0064L;
  private static final int VIP = 0x0a00_0064;
  private static final int CLIENT_IP = 0x0a00_00c8;
  private static final int MEMBERS_IP = 0x0a00_0000;
  private static final int MEMBER_PORT = 8_080;
  private static final BalancedService SERVICE =
      new BalancedService(
          "web",
          VIP,
          VIRTUAL,
          "servers",
          List.of(
              new Server("m1", MEMBERS_IP | 1, MEMBER_PORT),
              new Server("m2", MEMBERS_IP | 2, MEMBER_PORT),
              new Server("m3", MEMBERS_IP | 3, MEMBER_PORT)));

  /** One node with its store, a virtual IP with three members, and their hosts. */
  private static final class Balanced {
    final PlayedStore store;
    final PacketApplication balancer;
    final NetworkView network;
    private int port = 5_000;

    Balanced(Variant variant) {
      store = new PlayedStore(TracedApplication.LOAD_BALANCER, variant);
      ApplicationProvider provider =
          store.node.catalog().providers().stream()
              .filter(one -> one.name().equals(LoadBalancer.NAME))
              .findFirst()
              .orElseThrow();
      balancer = provider.create(ApplicationConfiguration.usual(List.of()));
      configure(
          BalancerCommands.put(
              Pool.usual("servers", Pool.Method.ROUND_ROBIN, Pool.Probe.NONE), Configure.ABSENT));
      ServiceAddress service = new ServiceAddress(TransportProtocol.TCP, VIP, 80);
      configure(BalancerCommands.put(VirtualIp.usual("web", service, "servers"), Configure.ABSENT));
      List<KnownHost> hosts = new ArrayList<>();
      hosts.add(host(CLIENT, 1, CLIENT_IP));
      for (Server server : SERVICE.members()) {
        configure(
            BalancerCommands.put(
                new Member(
                    server.name(), "servers", server.ip(), MEMBER_PORT, 1, Member.State.ENABLED),
                Configure.ABSENT));
        int number = server.ip() & 0xff;
        hosts.add(host(0x0200_0000_0000L | number, 1 + number, server.ip()));
      }
      if (variant != Variant.OWN) {
        for (Command command : SERVICE.preparation(variant)) {
          assertThat(store.apply(command)).isInstanceOf(Reply.Applied.class);
        }
      }
      TablePicture<?> picture = balancer.pictures().get(0);
      Map<String, List<Entry>> tables = new HashMap<>();
      picture.tables().forEach(name -> tables.put(name, entries(name)));
      network =
          new NetworkPicture(
                  1,
                  List.of(
                      new SwitchPort(1, 1),
                      new SwitchPort(1, 2),
                      new SwitchPort(1, 3),
                      new SwitchPort(1, 4)),
                  List.of())
              .with(new KnownHosts(hosts))
              .with(TablePictures.NONE.with(picture, picture.of(tables)));
    }

    private static KnownHost host(long mac, long port, int ip) {
      return new KnownHost(
          MacAddress.valueOf(mac),
          -1,
          new SwitchPort(1, port).connectPoint(),
          List.of(Ip4Address.valueOf(ip)));
    }

    private void configure(Command command) {
      ConfigOutcome outcome = requireNonNull(ConfigOutcome.of(store.apply(command)));
      assertThat(outcome.kind()).isEqualTo(ConfigOutcome.Kind.DONE);
    }

    private List<Entry> entries(String table) {
      return store.apply(new Command.Scan(table, Bytes.empty(), null, 100))
              instanceof Reply.Entries range
          ? range.entries()
          : List.of();
    }

    /** A client asks who has the virtual IP. */
    Decision arp() {
      byte[] request =
          ByteBuffer.allocate(28)
              .putLong(0x0001_0800_0604_0001L)
              .putShort((short) (CLIENT >>> 32))
              .putInt((int) CLIENT)
              .putInt(CLIENT_IP)
              .putShort((short) 0)
              .putInt(0)
              .putInt(VIP)
              .array();
      PlayedFrame frame = PlayedFrame.of(1, 0xffff_ffff_ffffL, CLIENT, 0x0806, request);
      return store.end(balancer.packetIn(frame, network));
    }

    /** The client opens another connection. */
    Decision connect() {
      byte[] syn = TcpHead.syn(VIRTUAL, CLIENT, 0, CLIENT_IP, VIP, ++port, 80, 7);
      return store.end(balancer.packetIn(new PlayedFrame(1, syn), network));
    }
  }

  /** The last digit of the member to which the entries of a decision lead; 0 without any. */
  private static int member(Decision decision) {
    if (decision instanceof Decision.Act act
        && !act.instructions().isEmpty()
        && act.instructions().get(0) instanceof Instruction.InstallFlow there) {
      String treatment = there.treatment().toString();
      for (int member = 1; member <= 3; member++) {
        if (treatment.contains("IPV4_DST:10.0.0." + member)) {
          return member;
        }
      }
    }
    return 0;
  }

  @ParameterizedTest
  @EnumSource(value = Variant.class, mode = EnumSource.Mode.EXCLUDE, names = "OWN")
  void asksWhatThePaperAsksAndTakesMembersInTurn(Variant variant) {
    Balanced balanced = new Balanced(variant);
    Decision answer = balanced.arp();
    balanced.store.assertLastAsInThePaper("lb-arp", variant);
    assertThat(answer).isInstanceOf(Decision.Act.class);
    assertThat(((Decision.Act) answer).instructions().get(0))
        .isInstanceOfSatisfying(
            Instruction.Emit.class,
            emit -> assertThat(ByteBuffer.wrap(emit.frame()).getLong(6) >>> 16).isEqualTo(VIRTUAL));
    List<Integer> members = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      members.add(member(balanced.connect()));
      balanced.store.assertLastAsInThePaper("lb-vip", variant);
    }
    assertThat(members).containsExactly(1, 2, 3, 1, 2);
  }

  @Test
  void ownIsOneCallAndNoneForArp() {
    Balanced balanced = new Balanced(Variant.OWN);
    balanced.arp();
    assertThat(balanced.store.last().operations()).isEmpty();
    assertThat(List.of(member(balanced.connect()), member(balanced.connect())))
        .containsExactly(1, 2);
    assertThat(balanced.store.last().operations())
        .singleElement()
        .satisfies(one -> assertThat(one.target()).isEqualTo("load-balancer.take"));
  }

  private static boolean isReplace(Command command) {
    return command instanceof Command.Replace
        || (command instanceof Command.Call call && call.component().equals(ReplaceByValue.NAME));
  }

  /** Another node takes a turn before the next replaces of this one. */
  private static void rival(Balanced balanced, int times) {
    int[] left = {times};
    balanced.store.meanwhile =
        command -> {
          if (isReplace(command) && left[0] > 0) {
            left[0]--;
            Bytes pool = Bytes.utf8("servers");
            Reply.Found found =
                (Reply.Found) balanced.store.apply(new Command.Get(BalancedService.POOLS, pool));
            Bytes next = BalancedService.Cursor.of(found.value()).next().bytes();
            balanced.store.apply(new Command.Put(BalancedService.POOLS, pool, next));
          }
        };
  }

  /** "We must try again by fetching the pool one more time": section VI-C. */
  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"INIT", "CREF", "VERS", "COLS"})
  void aPoolThatWasReplacedMeanwhileIsReadAgain(Variant variant) {
    Balanced balanced = new Balanced(variant);
    rival(balanced, 2);
    Decision decision = balanced.connect();
    assertThat(member(decision)).as("the rival took two turns").isEqualTo(3);
    assertThat(PlayedStore.counted(decision, Attempts.RETRIED)).isEqualTo(2);
    assertThat(balanced.store.last().conflicts()).isEqualTo(2);
    int once = variant == Variant.INIT ? 5 : 4;
    assertThat(balanced.store.sent()).isEqualTo(once + 2 * 2);
    balanced.store.assertLastAsInThePaper("lb-vip", variant);
  }

  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"INIT", "COLS"})
  void aPacketIsGivenUpAfterSixAttempts(Variant variant) {
    Balanced balanced = new Balanced(variant);
    rival(balanced, 100);
    Decision decision = balanced.connect();
    assertThat(member(decision)).isZero();
    assertThat(PlayedStore.counted(decision, Attempts.GAVE_UP)).isEqualTo(1);
    assertThat(PlayedStore.counted(decision, Attempts.RETRIED)).isEqualTo(Attempts.MOST - 1);
    assertThat(balanced.store.last().operations()).hasSizeLessThan(16);
  }

  /** Table II: of two operations one is left, and an outdated virtual IP is read from the store. */
  @Test
  void theCacheHasTheVirtualIp() {
    Balanced balanced = new Balanced(Variant.CACHE);
    balanced.connect();
    assertThat(balanced.store.sent()).isEqualTo(2);
    balanced.connect();
    assertThat(balanced.store.sent()).isEqualTo(1);
    SERVICE.preparation(Variant.CACHE).stream()
        .filter(command -> command instanceof Command.PutColumns)
        .forEach(balanced.store::apply);
    Decision decision = balanced.connect();
    assertThat(member(decision)).as("the refused call took no turn").isEqualTo(3);
    assertThat(PlayedStore.counted(decision, Attempts.RETRIED)).isEqualTo(1);
    assertThat(balanced.store.sent()).isEqualTo(3);
    balanced.connect();
    assertThat(balanced.store.sent()).as("what was read anew is kept").isEqualTo(1);
    balanced.store.passMillis(BalancerVariant.STALENESS_MILLIS);
    balanced.connect();
    assertThat(balanced.store.sent()).as("too old").isEqualTo(2);
  }
}
