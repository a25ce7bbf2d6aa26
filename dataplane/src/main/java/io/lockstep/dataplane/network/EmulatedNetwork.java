package io.lockstep.dataplane.network;

import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.host.PingResult;
import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.model.SwitchFeatures;
import io.lockstep.dataplane.openflow.AgentCounters;
import io.lockstep.dataplane.packet.IcmpEcho;
import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.packet.Packet;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.topology.Topology;
import io.lockstep.dataplane.topology.Topology.HostSpec;
import io.lockstep.dataplane.topology.Topology.LinkSpec;
import io.lockstep.dataplane.topology.Topology.PortRef;
import io.lockstep.dataplane.topology.Topology.SwitchSpec;
import io.lockstep.dataplane.wire.Cable;
import io.lockstep.dataplane.wire.LinkQuality;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * A running emulated network. All switches and hosts share a few event loops; frames pass between
 * them in bounded queues, so that a loop in the topology costs frames and time but never memory.
 * Thread-safe. Closing it ends its threads and connections.
 */
public final class EmulatedNetwork implements AutoCloseable {
  private final Topology topology;
  private final NetworkOptions options;
  private final NioEventLoopGroup loops;
  private final FrameTraces traces;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Map<String, EmulatedSwitch> switches = new LinkedHashMap<>();
  private final Map<String, EmulatedHost> hosts = new LinkedHashMap<>();

  /** Guarded by itself. */
  private final Map<LinkSpec, Cable> links = new LinkedHashMap<>();

  /** Host name to its cable; guarded by itself. */
  private final Map<String, Cable> hostCables = new LinkedHashMap<>();

  /** Losses of cables that were taken out; guarded by {@link #hostCables}. */
  private long framesOfOldCables;

  private long lossesOfOldCables;

  /** Builds the network; nothing runs before {@link #start()}. */
  public EmulatedNetwork(Topology topology, NetworkOptions options) {
    this.topology = topology;
    this.options = options;
    this.traces = new FrameTraces(options.clock());
    this.loops =
        new NioEventLoopGroup(options.loops(), new DefaultThreadFactory("dataplane", true));
    for (SwitchSpec spec : topology.switches()) {
      switches.put(spec.name(), makeSwitch(spec));
    }
    for (HostSpec spec : topology.hosts()) {
      switchNamed(spec.at().switchName()).addPort(spec.at().port());
      EmulatedHost host =
          new EmulatedHost(
              spec.name(), spec.mac(), spec.address(), loops.next(), options.clock(), traces);
      hosts.put(spec.name(), host);
    }
    for (LinkSpec spec : topology.links()) {
      switchNamed(spec.a().switchName()).addPort(spec.a().port());
      switchNamed(spec.b().switchName()).addPort(spec.b().port());
    }
  }

  private EmulatedSwitch makeSwitch(SwitchSpec spec) {
    HardwareProfile profile = spec.profile();
    if (profile == null) {
      int tables = spec.protocol() == Protocol.OPENFLOW_10 ? 1 : options.tables();
      profile =
          HardwareProfile.ideal(tables, options.tableEntries())
              .withOpenFlow(spec.protocol().number());
    }
    SwitchFeatures features =
        new SwitchFeatures(
            spec.dpid(), profile.tables().size(), options.tableEntries(), options.buffers(), 1000);
    EventLoop loop = loops.next();
    return new EmulatedSwitch(
        spec,
        features,
        profile,
        loop,
        options.clock(),
        traces,
        options.controllers().apply(spec),
        options.agent());
  }

  /** Builds and starts a network whose switches all connect to the same controllers. */
  public static EmulatedNetwork start(Topology topology, List<InetSocketAddress> controllers) {
    EmulatedNetwork network = new EmulatedNetwork(topology, NetworkOptions.ordinary(controllers));
    network.start();
    return network;
  }

  /** Plugs all cables in and lets the switches connect. Once. */
  public void start() {
    synchronized (links) {
      for (LinkSpec spec : topology.links()) {
        long delayNanos = (long) (spec.delayMillis() * TimeUnit.MILLISECONDS.toNanos(1));
        LinkQuality quality = options.link().withDelayNanos(delayNanos);
        links.put(spec, new Cable(end(spec.a()), end(spec.b()), quality, options.clock()));
      }
    }
    synchronized (hostCables) {
      for (HostSpec spec : topology.hosts()) {
        hostCables.put(spec.name(), plug(hostNamed(spec.name()), spec.at()));
      }
    }
    switches.values().forEach(EmulatedSwitch::start);
  }

  private Cable.End end(PortRef ref) {
    return new Cable.End(switchNamed(ref.switchName()), ref.port());
  }

  private Cable plug(EmulatedHost host, PortRef at) {
    Cable.End hostEnd = new Cable.End(host, EmulatedHost.PORT);
    return new Cable(hostEnd, end(at), options.link(), options.clock());
  }

  public Topology topology() {
    return topology;
  }

  /** The switches in the topology's order. */
  public Collection<EmulatedSwitch> switches() {
    return Collections.unmodifiableCollection(switches.values());
  }

  /** The hosts in the topology's order. */
  public Collection<EmulatedHost> hosts() {
    return Collections.unmodifiableCollection(hosts.values());
  }

  /**
   * A switch by name.
   *
   * @throws IllegalArgumentException when there is none
   */
  public EmulatedSwitch switchNamed(String name) {
    EmulatedSwitch found = switches.get(name);
    if (found == null) {
      throw new IllegalArgumentException("no switch " + name);
    }
    return found;
  }

  /**
   * A host by name.
   *
   * @throws IllegalArgumentException when there is none
   */
  public EmulatedHost hostNamed(String name) {
    EmulatedHost found = hosts.get(name);
    if (found == null) {
      throw new IllegalArgumentException("no host " + name);
    }
    return found;
  }

  /** Sends one echo request between two hosts; completes when answered or timed out. */
  public CompletableFuture<PingResult> ping(String from, String to, Duration timeout) {
    return ping(from, to, 1, Duration.ZERO, timeout);
  }

  /** Sends echo requests between two hosts; completes when each is answered or timed out. */
  public CompletableFuture<PingResult> ping(
      String from, String to, int count, Duration interval, Duration timeout) {
    return hostNamed(from).ping(hostNamed(to).address(), count, interval, timeout);
  }

  /**
   * Pings from every host to every other, one pair after the other from each host, all hosts at the
   * same time.
   *
   * @param timeout for each request
   * @return one result per ordered pair
   */
  public CompletableFuture<List<PingResult>> pingAll(Duration timeout) {
    List<CompletableFuture<List<PingResult>>> perHost = new ArrayList<>();
    for (EmulatedHost from : hosts.values()) {
      CompletableFuture<List<PingResult>> chain =
          CompletableFuture.completedFuture(new ArrayList<>());
      for (EmulatedHost to : hosts.values()) {
        if (from != to) {
          chain =
              chain.thenCompose(
                  results ->
                      from.ping(to.address(), 1, Duration.ZERO, timeout)
                          .thenApply(
                              result -> {
                                results.add(result);
                                return results;
                              }));
        }
      }
      perHost.add(chain);
    }
    return CompletableFuture.allOf(perHost.toArray(CompletableFuture[]::new))
        .thenApply(
            done -> {
              List<PingResult> all = new ArrayList<>();
              perHost.forEach(each -> all.addAll(each.join()));
              return all;
            });
  }

  /**
   * Pings every ordered pair of hosts from now on, until it is closed.
   *
   * @param interval between two requests of one pair
   * @param timeout after which a request counts as lost
   */
  public ContinuousPing pingContinuously(Duration interval, Duration timeout) {
    List<EmulatedHost> all = List.copyOf(hosts.values());
    return pingContinuously(ContinuousPing.everyPair(all), interval, timeout);
  }

  /** Pings chosen pairs from now on, until it is closed. */
  public ContinuousPing pingContinuously(
      List<ContinuousPing.Pair> pairs, Duration interval, Duration timeout) {
    return ContinuousPing.start(options.clock(), pairs, interval, timeout);
  }

  /**
   * Sends first packets of new flows between these hosts from now on, until it is closed.
   *
   * @param seed of the order of the pairs of hosts
   */
  public NewFlows startNewFlows(List<EmulatedHost> between, int perSecond, long seed) {
    return NewFlows.start(options.clock(), between, perSecond, seed);
  }

  /**
   * Prepares TCP connections between hosts that are kept.
   *
   * @param service where clients connect
   * @param serverPort where servers listen
   */
  public LastingConnections keepConnections(
      Ipv4 service,
      int servicePort,
      List<EmulatedHost> clients,
      List<EmulatedHost> servers,
      int serverPort) {
    return LastingConnections.start(
        options.clock(), service, servicePort, clients, servers, serverPort);
  }

  /** Takes a host's cable out, for good. */
  public void unplugHost(String hostName) {
    synchronized (hostCables) {
      Cable old = hostCables.remove(hostName);
      if (old != null) {
        old.unplug();
        framesOfOldCables += old.carried();
        lossesOfOldCables += old.dropped();
      }
    }
  }

  /**
   * Cuts or mends the links between two switches.
   *
   * @return how many links there are between them
   * @throws IllegalArgumentException when there is none
   */
  public int setLink(String a, String b, boolean up) {
    int changed = 0;
    synchronized (links) {
      for (Map.Entry<LinkSpec, Cable> each : links.entrySet()) {
        String first = each.getKey().a().switchName();
        String second = each.getKey().b().switchName();
        if ((first.equals(a) && second.equals(b)) || (first.equals(b) && second.equals(a))) {
          each.getValue().setUp(up);
          changed++;
        }
      }
    }
    if (changed == 0) {
      throw new IllegalArgumentException("no link between " + a + " and " + b);
    }
    return changed;
  }

  /**
   * Moves a host to another port, which is made when the switch does not have it. The host
   * announces itself there. Not to be called from an event loop.
   *
   * @throws IllegalArgumentException when the port has a cable already
   */
  public void moveHost(String hostName, String switchName, int port) {
    EmulatedHost host = hostNamed(hostName);
    EmulatedSwitch target = switchNamed(switchName);
    synchronized (hostCables) {
      if (target.isPlugged(port)) {
        throw new IllegalArgumentException("port " + switchName + ":" + port + " has a cable");
      }
      Cable old = hostCables.get(hostName);
      if (old != null) {
        old.unplug();
        framesOfOldCables += old.carried();
        lossesOfOldCables += old.dropped();
      }
      target.loop().submit(() -> target.ensurePort(port)).syncUninterruptibly();
      hostCables.put(hostName, plug(host, new PortRef(switchName, port)));
    }
  }

  /** Records where frames that fulfil a condition go, until it is closed. */
  public FrameTrace trace(Predicate<Packet> condition) {
    return traces.open(condition);
  }

  /** Records the echo requests and replies between two hosts. */
  public FrameTrace tracePings(String a, String b) {
    Set<Ipv4> wanted = Set.of(hostNamed(a).address(), hostNamed(b).address());
    return trace(
        packet -> {
          IcmpEcho echo = IcmpEcho.decode(packet);
          return echo != null
              && wanted.contains(echo.ends().source())
              && wanted.contains(echo.ends().target());
        });
  }

  /** Sums over the whole network. */
  public NetworkStats stats() {
    long carried = 0;
    long lost = 0;
    for (Cable cable : cables()) {
      carried += cable.carried();
      lost += cable.dropped();
    }
    synchronized (hostCables) {
      carried += framesOfOldCables;
      lost += lossesOfOldCables;
    }
    long[] sums = new long[7];
    for (EmulatedSwitch each : switches.values()) {
      AgentCounters counters = each.counters();
      sums[0] += each.dropped();
      sums[1] += counters.packetInsSent();
      sums[2] += counters.packetInsDropped();
      sums[3] += counters.packetOuts();
      sums[4] += counters.flowMods();
      sums[5] += counters.errorsSent();
      sums[6] += counters.connections();
    }
    return new NetworkStats(
        carried, lost, sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6]);
  }

  private List<Cable> cables() {
    List<Cable> all = new ArrayList<>();
    synchronized (links) {
      all.addAll(links.values());
    }
    synchronized (hostCables) {
      all.addAll(hostCables.values());
    }
    return all;
  }

  /** Ends all connections and threads, once; waits for them up to a few seconds. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    cables().forEach(Cable::sever);
    switches.values().forEach(EmulatedSwitch::close);
    loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
  }
}
