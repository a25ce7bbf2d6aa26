package io.lockstep.demo;

import io.lockstep.dataplane.model.SoftwarePath;
import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.model.SwitchPort;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.EmulatedSwitch;
import io.lockstep.dataplane.network.NetworkOptions;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.profile.ProfileFile;
import io.lockstep.dataplane.topology.Topology;
import io.lockstep.dataplane.topology.Topology.SwitchSpec;
import io.lockstep.dataplane.topology.TopologyBuilder;
import io.lockstep.dataplane.wire.RealTime;
import io.lockstep.demo.screen.FlowList;
import io.lockstep.demo.screen.Picture;
import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Two emulated switches without hosts or links: a 5130, and a 3500yl whose operator gave OpenFlow a
 * small share of the hardware. Packets for routes come by one port of each. Thread-safe.
 */
final class TablesNetwork implements DemoNetwork {
  /** The 5130, which has room for all routes. */
  static final int LARGE = 0;

  /** The 3500yl, which has not. */
  static final int SMALL = 1;

  /** Percent of the 3500yl's hardware that OpenFlow gets: 15 entries of 1526. */
  private static final int SHARE_PERCENT = 1;

  /** What is left of the 3500yl's hardware, in entries. */
  static final int SMALL_UNITS = 15;

  private static final int SMALL_RESERVE = 3;
  private static final int IN_PORT = 1;

  /** The port by which the packets of a route leave: this, and some more. */
  static final int FIRST_OUT = 2;

  static final int OUTPUTS = 4;

  private static final int FRAME_OCTETS = 1_500;
  private static final String MODEL = "3500yl-1.3";

  private final Topology topology;
  private final RealTime clock = new RealTime();
  private volatile @Nullable EmulatedNetwork network;

  /** A network that does not run yet. */
  TablesNetwork() throws IOException {
    topology =
        new TopologyBuilder("tables")
            .addSwitch("5130", 1, "large", ProfileFile.builtIn("5130"))
            .addSwitch("3500yl", 2, "small", ProfileFile.builtIn(MODEL))
            .build();
  }

  /** The file that tells the nodes how small the 3500yl is, as its operator writes it. */
  static String smallProfile() throws IOException {
    String file = "/io/lockstep/placer/profile/" + MODEL + ".yaml";
    try (InputStream in = TablesNetwork.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IOException("no " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replace("units: 1526", "units: " + SMALL_UNITS)
          .replace("reserve: 16", "reserve: " + SMALL_RESERVE);
    }
  }

  @Override
  public void start(List<InetSocketAddress> controllers) {
    EmulatedNetwork started =
        new EmulatedNetwork(topology, NetworkOptions.ordinary(controllers).withClock(clock));
    network = started;
    device(LARGE).inspect(this::addPorts).join();
    device(SMALL)
        .inspect(
            model -> {
              HardwareProfile profile = model.profile();
              boolean done =
                  profile.policyEngine() != null
                      && model.disableOpenFlow()
                      && model.setPolicyShare(SHARE_PERCENT)
                      && model.enableOpenFlow();
              if (!done) {
                throw new IllegalStateException(profile + " has no policy engine to share");
              }
              return addPorts(model);
            })
        .join();
    started.start();
  }

  private SwitchModel addPorts(SwitchModel model) {
    for (int port = IN_PORT; port < FIRST_OUT + OUTPUTS; port++) {
      model.addPort(port, "p" + port, new Mac(port), true, clock.nanos());
    }
    return model;
  }

  private EmulatedSwitch device(int number) {
    EmulatedNetwork running = network;
    if (running == null) {
      throw new IllegalStateException("the network does not run yet");
    }
    return running.switchNamed(topology.switches().get(number).name());
  }

  /**
   * What a switch has done since it started.
   *
   * @param packets that came for routes
   * @param inSoftware of them that its processor forwarded or dropped
   * @param octets that it forwarded
   * @param cpuMicros time of its processor
   */
  record Work(long packets, long inSoftware, long octets, double cpuMicros, long atNanos) {}

  /** Has packets of routes, by number, come to a switch, and says what it has done so far. */
  Work send(int number, int[] routes) {
    return device(number)
        .inspect(
            model -> {
              for (int route : routes) {
                model.receive(IN_PORT, frame(route), clock.nanos());
              }
              return work(model);
            })
        .join();
  }

  private Work work(SwitchModel model) {
    long octets = 0;
    long packets = 0;
    for (SwitchPort port : model.ports()) {
      packets += port.rxPackets();
      octets += port.txBytes();
    }
    SoftwarePath software = model.software();
    return new Work(
        packets,
        software == null ? 0 : software.packets() + software.drops(),
        octets,
        software == null ? 0 : software.cpuMicros(),
        clock.nanos());
  }

  /** Load of the switch's processor where it forwards nothing, in percent. */
  double idleCpuPercent(int number) {
    return device(number).inspect(model -> model.profile().idleCpuPercent()).join();
  }

  /** The match of a route, numbered from 0: a network of its own. */
  static List<String> match(int route) {
    return List.of(
        "eth_type=0x800", "ipv4_dst=10." + (1 + route / 256) + "." + route % 256 + ".0/24");
  }

  private static byte[] frame(int route) {
    byte[] frame = new byte[FRAME_OCTETS];
    frame[5] = 1;
    frame[11] = 2;
    frame[12] = 0x08;
    frame[14] = 0x45;
    frame[16] = (byte) ((FRAME_OCTETS - 14) >> 8);
    frame[17] = (byte) (FRAME_OCTETS - 14);
    frame[22] = 64;
    frame[23] = 17;
    frame[26] = 10;
    frame[29] = 1;
    frame[30] = 10;
    frame[31] = (byte) (1 + route / 256);
    frame[32] = (byte) route;
    frame[33] = 7;
    return frame;
  }

  @Override
  public List<DomainPlan> domains() {
    List<DomainPlan> domains = new ArrayList<>();
    for (SwitchSpec one : topology.switches()) {
      domains.add(new DomainPlan(one.domain(), List.of(one.dpid()), domains.size()));
    }
    return domains;
  }

  @Override
  public int hosts() {
    return 0;
  }

  @Override
  public int directedLinks() {
    return 0;
  }

  @Override
  public String linkName(int link) {
    throw new IllegalArgumentException("there is no link " + link);
  }

  @Override
  public void setLink(int link, boolean up) {
    throw new IllegalArgumentException("there is no link " + link);
  }

  @Override
  public String moveHost(int host) {
    throw new IllegalArgumentException("there is no host " + host);
  }

  @Override
  public List<Picture.Host> places(List<NodeReport> reports) {
    return List.of();
  }

  @Override
  public CompletableFuture<FlowList> flows(int number) {
    throw new IllegalArgumentException("this scenario has no screen for flows");
  }

  @Override
  public PingBoard.Pinger pinger() {
    return (from, to, answered) -> answered.accept(-1);
  }

  @Override
  public void close() {
    EmulatedNetwork running = network;
    if (running != null) {
      running.close();
    }
  }
}
