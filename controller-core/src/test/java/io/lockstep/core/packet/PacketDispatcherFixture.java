package io.lockstep.core.packet;

import static io.lockstep.core.packet.Frames.ethernet;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.app.PacketView;
import io.lockstep.core.app.RankedApplication;
import io.lockstep.core.flow.FlowDoor;
import io.lockstep.core.link.DirectedLink;
import io.lockstep.core.link.DiscoveryConfig;
import io.lockstep.core.link.LinkDiscovery;
import io.lockstep.core.link.LinkSurroundings;
import io.lockstep.core.link.LldpReceiver;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.recording.StoreTraffic;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.state.InputCounters;
import io.lockstep.core.state.SwitchTroubles;
import io.lockstep.core.testing.FakeMasteredSwitches;
import io.lockstep.core.testing.FakeSwitch;
import io.lockstep.core.testing.ManualTime;
import io.lockstep.core.testing.NoRules;
import io.lockstep.core.testing.ScriptedStore;
import io.lockstep.core.topology.NetworkPicture;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;

/** A dispatcher with a switch of three ports, a scripted store and the applications of a test. */
class PacketDispatcherFixture {
  /** Of the first application; each further one has the next. */
  static final int FIRST_PRIORITY = 100;

  static final Command ASKED = new Command.Get("t", Bytes.utf8("k"));
  static final Reply FOUND = new Reply.Found(Bytes.empty(), 1);
  static final byte[] FRAME = ethernet(2, 1, 0x0800);

  final ManualTime time = new ManualTime();
  final FakeMasteredSwitches mastery = new FakeMasteredSwitches();
  final ScriptedStore store = new ScriptedStore();
  final StoreTraffic traffic = new StoreTraffic();
  final FakeSwitch connection = new FakeSwitch(1, 3);
  final List<NetworkEvent> events = new ArrayList<>();
  final List<PacketApplication> applications = new ArrayList<>();
  final Set<String> deactivated = new HashSet<>();
  final List<PacketObserver> observers = new ArrayList<>();

  /** What the dispatcher's flow-mods go through. */
  FlowDoor flows = FlowDoor.open();

  final NetworkView network =
      new NetworkPicture(
          1, List.of(new SwitchPort(1, 1), new SwitchPort(1, 2), new SwitchPort(1, 3)), List.of());

  final PacketRequests requests = new PacketRequests(NodeId.nodeId("n"), new NoRules());

  final ApplicationFailures failures = new ApplicationFailures(time::millis);
  final PacketSender sender = new PacketSender(mastery, () -> network, time::nanos);
  final ProcessorChain processors = new ProcessorChain(sender, failures, time::nanos);

  final class App implements PacketApplication {
    final String name;
    final Function<PacketView, Decision> onPacket;
    Function<NetworkEvent, Decision> onEvent = event -> Decision.PASS;
    Predicate<PacketView> onSource = packet -> false;

    App(String name, Function<PacketView, Decision> onPacket) {
      this.name = name;
      this.onPacket = onPacket;
      applications.add(this);
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public boolean claimsSource(PacketView packet, NetworkView view) {
      return onSource.test(packet);
    }

    @Override
    public Decision packetIn(PacketView packet, NetworkView view) {
      return onPacket.apply(packet);
    }

    @Override
    public Decision networkEvent(NetworkEvent event, NetworkView view) {
      events.add(event);
      return onEvent.apply(event);
    }
  }

  PacketDispatcher dispatcher(PacketLimits limits) {
    LinkDiscovery discovery =
        new LinkDiscovery(
            new NoLinks(),
            (device, writes) -> new CompletableFuture<>(),
            DiscoveryConfig.DEFAULT,
            time,
            time::nanos,
            time::millis,
            dpid -> true,
            new InputCounters(),
            new SwitchTroubles(time::nanos));
    PacketDispatcher dispatcher =
        new PacketDispatcher(
            mastery,
            traffic.around(store),
            () -> network,
            new PacketHandlers(
                new LldpReceiver(discovery, time::millis, time::nanos),
                observers,
                processors,
                ranked(),
                Map.of(),
                name -> !deactivated.contains(name)),
            flows,
            limits,
            failures,
            time,
            time::nanos,
            traffic);
    mastery.addListener(dispatcher);
    return dispatcher;
  }

  private List<RankedApplication> ranked() {
    List<RankedApplication> ranked = new ArrayList<>();
    for (PacketApplication application : applications) {
      ranked.add(new RankedApplication(application, FIRST_PRIORITY + ranked.size()));
    }
    return ranked;
  }

  PacketDispatcher mastering() {
    PacketDispatcher dispatcher = dispatcher(PacketLimits.DEFAULT);
    mastery.grant(connection, 7);
    return dispatcher;
  }

  static final class NoLinks implements LinkSurroundings {
    @Override
    public Set<DirectedLink> links() {
      return Set.of();
    }

    @Override
    public Set<SwitchPort> edges() {
      return Set.of();
    }

    @Override
    public void changed() {}

    @Override
    public @Nullable SwitchConnection connected(long dpid) {
      return null;
    }

    @Override
    public boolean isConnectedElsewhere(long dpid) {
      return false;
    }

    @Override
    public boolean isHostAwake(SwitchPort port, @Nullable Long cameUpNanos) {
      return false;
    }
  }

  static PortNumber port(long number) {
    return PortNumber.portNumber(number);
  }

  static Instruction install(long out) {
    return new Instruction.InstallFlow(
        DefaultTrafficSelector.emptySelector(),
        DefaultTrafficTreatment.builder().setOutput(port(out)).build(),
        10,
        5,
        0);
  }

  static Decision forward(long port) {
    return Decision.act(new Instruction.Forward(port(port)));
  }

  List<PortNumber> sentTo() {
    return connection.packetOuts.stream().flatMap(out -> out.outPorts().stream()).toList();
  }
}
