package io.lockstep.bench.variant;

import io.lockstep.bench.balancer.ServiceSetup;
import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.openflow.Injection;
import io.lockstep.bench.openflow.LoadPlan;
import io.lockstep.bench.openflow.OpenFlowLoad;
import io.lockstep.bench.openflow.PacketIns;
import io.lockstep.bench.process.CpuMeter;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.variant.BalancedService.Server;
import io.lockstep.bench.variant.VariantNode.TracedApplication;
import io.lockstep.deploy.config.ConfigException;
import io.lockstep.deploy.config.ConfiguredStore;
import io.lockstep.deploy.launch.LaunchedNode;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import io.lockstep.store.typed.StoreAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Three nodes that run applications in one variant, and a played switch whose hosts send what the
 * application's events are made of. Used by one thread.
 *
 * @param directory of configuration files, logs and traces
 */
record VariantRun(Path directory, Set<TracedApplication> applications, Variant variant) {
  private static final LoadPlan SWITCHES = new LoadPlan(1, 4, 8, 1);
  private static final long PATIENCE_MILLIS = 60_000;
  private static final long PAUSE_MILLIS = 200;
  private static final int WINDOW_MILLIS = 1_000;
  private static final int FRAMES = 20;
  private static final int SUBNET = 20;
  private static final int CLIENT_NUMBER = 4_244;
  private static final long BROADCAST = 0xffff_ffff_ffffL;
  private static final int ARP = 0x0806;
  private static final int FIRST_NEW_HOST = 0x1000;

  /** Runs it, and gives the events that the nodes met. */
  List<EventOperations> run() throws BenchException, InterruptedException, IOException {
    try (NodeProcesses nodes =
            new NodeProcesses(
                directory,
                NodeProcesses.domains(SWITCHES),
                NodeProcesses.WITHOUT_QUOTAS + "state: memory\n",
                this::process);
        OpenFlowLoad load = OpenFlowLoad.start(SWITCHES, nodes.controllers())) {
      try {
        nodes.awaitMasters(PATIENCE_MILLIS);
        if (applications.contains(TracedApplication.LOAD_BALANCER)) {
          configure(nodes);
        }
        load.learn(PATIENCE_MILLIS);
        send(nodes, load);
      } catch (TimeoutException e) {
        throw new BenchException(e.getMessage() + nodes.obituary(), e);
      }
    }
    return events();
  }

  private LaunchedNode process(Path configuration, Path log) {
    return LaunchedNode.of(
        VariantNodeMain.class,
        List.of(
            String.join(",", applications.stream().map(Enum::name).sorted().toList()),
            variant.name(),
            configuration.toString(),
            configuration + ".trace"),
        log);
  }

  private List<EventOperations> events() throws IOException {
    List<EventOperations> events = new ArrayList<>();
    for (int node = 1; node <= NodeProcesses.NODES; node++) {
      events.addAll(new TraceFile(directory.resolve("n" + node + ".yaml.trace")).read());
    }
    return events;
  }

  private void send(NodeProcesses nodes, OpenFlowLoad load)
      throws BenchException, InterruptedException, TimeoutException {
    if (applications.contains(TracedApplication.DEVICE_MANAGER)) {
      for (int host = 0; host < SWITCHES.ports(); host++) {
        inject(load, arpReply(FIRST_NEW_HOST + host, host));
      }
    }
    if (applications.contains(TracedApplication.LOAD_BALANCER)) {
      if (applications.contains(TracedApplication.LEARNING_SWITCH)) {
        measure(nodes, load); // what follows goes to the virtual IP
      }
      awaitMembers(nodes, load);
      inject(load, arpRequest(0, SWITCHES.virtualIp(0)));
      load.connectToVirtualIps();
    }
    measure(nodes, load);
  }

  private static void measure(NodeProcesses nodes, OpenFlowLoad load)
      throws InterruptedException, TimeoutException {
    load.measure(1, new Schedule(0, WINDOW_MILLIS, 2_000), new CpuMeter(nodes.handles()));
  }

  /** Sends a frame from its port several times, since one that comes too soon may be dropped. */
  private static void inject(OpenFlowLoad load, Frame frame)
      throws InterruptedException, TimeoutException {
    CountDownLatch sent = new CountDownLatch(FRAMES);
    load.inject(
        new Injection(
            0,
            1,
            out -> {
              PacketIns.frame(out, (int) frame.port(), frame.bytes(), 1);
              sent.countDown();
            }));
    boolean all = sent.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    load.inject(null);
    if (!all) {
      throw new TimeoutException("the nodes do not read the frames of a switch");
    }
  }

  private record Frame(long port, byte[] bytes) {}

  /** A host asks who has an address. */
  private static Frame arpRequest(int host, int ip) {
    return new Frame(
        SWITCHES.port(host), arp(BROADCAST, SWITCHES.mac(0, host), 1, SWITCHES.ip(0, host), 0, ip));
  }

  /** A host that was not seen before answers one that was. */
  private static Frame arpReply(int newHost, int asker) {
    long mac = SWITCHES.mac(0, newHost);
    long target = SWITCHES.mac(0, asker);
    return new Frame(
        SWITCHES.port(newHost),
        arp(target, mac, 2, SWITCHES.ip(1, newHost), target, SWITCHES.ip(0, asker)));
  }

  /** RFC 826. */
  private static byte[] arp(
      long destination, long source, int operation, int ip, long targetMac, int targetIp) {
    ByteBuffer frame = ByteBuffer.allocate(60);
    mac(frame, destination);
    mac(frame, source);
    frame.putShort((short) ARP).putShort((short) 1).putShort((short) 0x0800);
    frame.put((byte) 6).put((byte) 4).putShort((short) operation);
    mac(frame, source);
    frame.putInt(ip);
    mac(frame, targetMac);
    frame.putInt(targetIp);
    return frame.array();
  }

  private static void mac(ByteBuffer to, long address) {
    to.putShort((short) (address >>> 32)).putInt((int) address);
  }

  // ---- the load balancer's service ----

  private static BalancedService service() {
    List<Server> members = new ArrayList<>();
    for (int member = 0; member < LoadPlan.MEMBERS; member++) {
      members.add(new Server("m" + member, SWITCHES.ip(0, member), ServiceSetup.MEMBER_PORT));
    }
    int ip = SWITCHES.virtualIp(0);
    long mac = 0x024cL << 32 | Integer.toUnsignedLong(ip);
    return new BalancedService("web", ip, mac, "servers", members);
  }

  /** As an operator does, and for a variant also in its own tables. */
  private void configure(NodeProcesses nodes) throws BenchException, InterruptedException {
    BalancedService service = service();
    ServiceSetup setup = new ServiceSetup(nodes.plan().adminEndpoint(0));
    setup.addPool(service.pool());
    for (Server member : service.members()) {
      setup.addMember(member.name(), service.pool(), text(member.ip()));
    }
    setup.addVip(service.name(), service.pool(), text(service.ip()), SUBNET, 1 << 12);
    if (variant != Variant.OWN) {
      try {
        prepare(ConfiguredStore.address(nodes.plan().configFile(0)), service);
      } catch (ConfigException | ExecutionException | TimeoutException e) {
        throw new BenchException("preparing the tables of " + variant.label(), e);
      }
    }
  }

  private void prepare(StoreAddress address, BalancedService service)
      throws InterruptedException, ExecutionException, TimeoutException, BenchException {
    try (BatchingStoreClient store =
        BatchingStoreClient.open(
            BftSmartClient.connect(
                ClientConfig.of(address.cluster(), address.members(), CLIENT_NUMBER)),
            ClientOptions.of("variant").withTables(BalancedService.tables(variant)),
            System::nanoTime,
            new SecureRandom()::nextLong)) {
      for (Command command : service.preparation(variant)) {
        Reply reply = store.submit(command).get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        if (!(reply instanceof Reply.Applied)) {
          throw new BenchException("preparing " + command.table() + ": " + reply);
        }
      }
    }
  }

  private static void awaitMembers(NodeProcesses nodes, OpenFlowLoad load)
      throws BenchException, InterruptedException, TimeoutException {
    ServiceSetup asked = new ServiceSetup(nodes.plan().adminEndpoint(0));
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    while (asked.unknownMembers() > 0) {
      if (System.nanoTime() - deadline > 0) {
        throw new TimeoutException("the place of members is not known");
      }
      load.announceMembers();
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private static String text(int ip) {
    return (ip >>> 24) + "." + (ip >>> 16 & 0xff) + "." + (ip >>> 8 & 0xff) + "." + (ip & 0xff);
  }
}
