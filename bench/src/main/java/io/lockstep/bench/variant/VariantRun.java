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
import io.lockstep.deploy.launch.LaunchedNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Three nodes that run applications in one variant, and a played switch whose hosts send what the
 * application's events are made of. Used by one thread.
 *
 * @param directory of configuration files, logs and traces, empty
 */
record VariantRun(Path directory, Set<TracedApplication> applications, Variant variant) {
  private static final LoadPlan SWITCHES = new LoadPlan(1, 4, 8, 1);
  private static final long PATIENCE_MILLIS = 60_000;
  private static final long PAUSE_MILLIS = 200;
  private static final int WINDOW_MILLIS = 1_000;
  private static final int FRAMES = 20;

  /** Events of one workload that one node gives, at most; further ones are left out. */
  private static final int MOST_OF_A_WORKLOAD = 2_000;

  private static final long BROADCAST = 0xffff_ffff_ffffL;
  private static final int ARP = 0x0806;
  private static final int FIRST_NEW_HOST = 0x1000;

  /** Runs it, and gives the events that the nodes met. */
  List<WorkloadEvent> run() throws BenchException, InterruptedException, IOException {
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
          ServiceInStore.configure(nodes.plan(), service(), variant);
        }
        NodeRecordings recordings = new NodeRecordings(nodes.plan());
        recordings.start();
        load.learn(PATIENCE_MILLIS);
        send(nodes, load);
        return events(recordings.stop());
      } catch (TimeoutException e) {
        throw new BenchException(e.getMessage() + nodes.obituary(), e);
      }
    }
  }

  private LaunchedNode process(Path configuration, Path log) {
    return LaunchedNode.of(
        VariantNodeMain.class,
        List.of(
            String.join(",", applications.stream().map(Enum::name).sorted().toList()),
            variant.name(),
            configuration.toString(),
            "false"),
        log);
  }

  private static List<WorkloadEvent> events(List<Path> traces) throws IOException {
    List<WorkloadEvent> events = new ArrayList<>();
    for (Path trace : traces) {
      events.addAll(RecordedTrace.read(trace, MOST_OF_A_WORKLOAD).events());
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
}
