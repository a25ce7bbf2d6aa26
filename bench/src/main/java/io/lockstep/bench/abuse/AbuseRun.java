package io.lockstep.bench.abuse;

import io.lockstep.bench.abuse.Attack.Position;
import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.openflow.Injection;
import io.lockstep.bench.openflow.LoadPlan;
import io.lockstep.bench.openflow.OpenFlowLoad;
import io.lockstep.bench.openflow.OpenFlowLoad.Paced;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.runs.LiveMemory;
import io.lockstep.deploy.launch.ClusterPlan;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.netty.buffer.ByteBuf;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One attack on three nodes of its own. Used by one thread. */
final class AbuseRun {
  private static final int FLOWS_PER_SECOND = 50;
  private static final int DEADLINE_MILLIS = 2000;
  private static final int WARM_UP_SECONDS = 2;

  /** Besides the two windows, where the machine is not overloaded: start, full collections, end. */
  private static final int OVERHEAD_SECONDS = 29;

  private static final int READY_MILLIS = 60_000;
  private static final double MEBIBYTE = 1 << 20;

  /** The node that masters the quiet switch: all attacks are on this one. */
  private static final int ATTACKED = 0;

  private static final String DOMAIN = "one";

  /**
   * What came of it.
   *
   * @param failure why it could not be measured; empty where it was
   */
  record Outcome(AbusePoint point, String failure) {}

  private final Attack attack;
  private final Path directory;
  private final Schedule schedule;
  private final Sent sent = new Sent();

  /** Nodes that had ended when the measurement did. */
  private int ended;

  /**
   * A run.
   *
   * @param directory of the nodes' configuration, logs and state
   * @param seconds of each of the two measured windows
   */
  AbuseRun(Attack attack, Path directory, int seconds) {
    this.attack = attack;
    this.directory = directory;
    this.schedule = Schedule.ofSeconds(WARM_UP_SECONDS, seconds, DEADLINE_MILLIS);
  }

  /** How long a run with such windows takes, about. */
  static int plannedSeconds(int seconds) {
    return OVERHEAD_SECONDS + 2 * (WARM_UP_SECONDS + seconds);
  }

  /** What it did; an attack that cannot be measured is not contained. */
  Outcome run() throws InterruptedException {
    try {
      return new Outcome(measure(), "");
    } catch (BenchException known) {
      return failed(String.valueOf(known.getMessage()));
    } catch (IOException | RuntimeException unexpected) {
      return failed(unexpected.toString());
    }
  }

  private Outcome failed(String failure) {
    return new Outcome(AbusePoint.unmeasured(attack, sent.in(attack.unit()), ended), failure);
  }

  private AbusePoint measure() throws BenchException, InterruptedException, IOException {
    List<Long> dpids = new ArrayList<>(List.of(Messages.QUIET.firstDpid()));
    if (attack.position().ownSwitch() || attack.position() == Position.OLD_SWITCH) {
      dpids.add(Messages.HOSTILE.firstDpid());
    }
    List<DomainPlan> domains = List.of(new DomainPlan(DOMAIN, dpids, ATTACKED));
    try (NodeProcesses nodes = new NodeProcesses(directory, domains, "");
        OpenFlowLoad quiet = OpenFlowLoad.start(Messages.QUIET, nodes.controllers())) {
      if (attack.position().ownSwitch()) {
        try (OpenFlowLoad hostile = OpenFlowLoad.start(Messages.HOSTILE, nodes.controllers())) {
          return measure(nodes, quiet, () -> begin(nodes, hostile));
        }
      }
      if (attack.position() == Position.OLD_SWITCH) {
        try (OldSwitch old =
            new OldSwitch(Messages.HOSTILE.firstDpid(), DOMAIN, nodes.controllers())) {
          return measure(nodes, quiet, () -> old.moveHost(() -> sent.messages(1)));
        }
      }
      return measure(nodes, quiet, () -> begin(nodes, quiet));
    } catch (TimeoutException e) {
      throw new BenchException(attack.label() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Measures before the attack and under it, and counts the nodes that ended.
   *
   * @param begin begins the attack; closing what it returns ends it
   */
  private AbusePoint measure(NodeProcesses nodes, OpenFlowLoad quiet, Supplier<AutoCloseable> begin)
      throws BenchException, InterruptedException, IOException, TimeoutException {
    try {
      return measureBoth(nodes, quiet, begin);
    } finally {
      ended = ended(nodes);
    }
  }

  private AbusePoint measureBoth(
      NodeProcesses nodes, OpenFlowLoad quiet, Supplier<AutoCloseable> begin)
      throws BenchException, InterruptedException, IOException, TimeoutException {
    nodes.awaitMasters(READY_MILLIS);
    quiet.learn(READY_MILLIS);
    ClusterPlan plan = nodes.plan();
    Paced usual;
    try (DiscardServer discard = new DiscardServer();
        RawSender attacker = new RawSender(discard.address(), attack, new Sent())) {
      usual = quiet.pace(FLOWS_PER_SECOND, schedule);
    }
    double heapBefore = liveMegabytes(nodes);
    List<Long> linesBefore = logLines(plan);
    long beginNanos = System.nanoTime();
    Paced others;
    double heapMegabytes;
    long unanswered;
    try (AdminWatch admin = new AdminWatch(plan.adminEndpoint(ATTACKED));
        AutoCloseable attacker = begin.get()) {
      others = quiet.pace(FLOWS_PER_SECOND, schedule);
      unanswered = admin.unanswered();
      heapMegabytes = liveMegabytes(nodes);
    } catch (BenchException | InterruptedException | TimeoutException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new BenchException("ending " + attack.label() + ": " + e.getMessage(), e);
    }
    double minutes = Math.max(1, (System.nanoTime() - beginNanos) / 6e10);
    List<Long> linesAfter = logLines(plan);
    long lines = 0;
    for (int node = 0; node < linesAfter.size(); node++) {
      lines = Math.max(lines, linesAfter.get(node) - linesBefore.get(node));
    }
    return AbusePoint.of(
        attack,
        sent.in(attack.unit()),
        ended(nodes),
        others.figures().lost() + others.misdirected() + unanswered,
        others.figures().p99Micros() / 1e3,
        usual.figures().p99Micros() / 1e3,
        heapBefore,
        Math.round(heapMegabytes * 10) / 10.0,
        Math.round(lines / minutes * 10) / 10.0);
  }

  private static int ended(NodeProcesses nodes) {
    return (int) nodes.handles().stream().filter(node -> !node.isAlive()).count();
  }

  /** Live objects of the node with the most, in MiB. */
  private static double liveMegabytes(NodeProcesses nodes) throws InterruptedException {
    double most = 0;
    for (ProcessHandle node : nodes.handles()) {
      most = Math.max(most, liveMegabytes(node));
    }
    return most;
  }

  /** Live objects, in MiB; all of the heap where a node that runs does not answer. */
  private static double liveMegabytes(ProcessHandle node) throws InterruptedException {
    try {
      return node.isAlive() ? LiveMemory.liveBytes(node) / MEBIBYTE : 0;
    } catch (IOException noAnswer) {
      return node.isAlive() ? AbusePoint.HEAP_BOUND_MEGABYTES : 0;
    }
  }

  /** Begins the attack; closing ends it. */
  private AutoCloseable begin(NodeProcesses nodes, OpenFlowLoad mouth) {
    return switch (attack.position()) {
      case SWITCH, HOST -> {
        mouth.inject(injection());
        yield () -> mouth.inject(null);
      }
      case ENTRIES -> {
        mouth.loseEntries(sent::messages);
        yield () -> mouth.loseEntries(null);
      }
      case EXPIRED -> {
        mouth.reviveEntries(sent::messages);
        yield () -> mouth.reviveEntries(null);
      }
      case ROLES -> {
        mouth.refuseRoles(() -> sent.messages(1));
        yield () -> mouth.refuseRoles(null);
      }
      case RELAY -> {
        mouth.relayProbes(sent::message);
        yield () -> mouth.relayProbes(null);
      }
      case TWIN -> {
        OpenFlowLoad twin =
            OpenFlowLoad.start(
                new LoadPlan(1, 4, 4, Messages.QUIET.firstDpid()), nodes.controllers());
        twin.inject(injection());
        yield twin;
      }
      case OPENFLOW, ADMIN, STORE, REPLICA, WITNESS ->
          new RawSender(address(nodes.plan()), attack, sent);
      case OLD_SWITCH -> throw new IllegalStateException("its host is moved");
    };
  }

  private Injection injection() {
    Consumer<ByteBuf> messages = attack.messages().get();
    return new Injection(
        0,
        attack.perTick(),
        out -> {
          messages.accept(out);
          sent.message(out.readableBytes());
        });
  }

  private InetSocketAddress address(ClusterPlan plan) {
    int storePort = plan.storePort(ATTACKED);
    int port =
        switch (attack.position()) {
          case ADMIN -> plan.adminPort(ATTACKED);
          case STORE -> storePort;
          case REPLICA -> storePort + 1;
          case WITNESS -> storePort + 2;
          default -> plan.openflowPort(ATTACKED);
        };
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Accepts any bytes, since an attacker's may be among them. */
  private static long lines(Path file) throws IOException {
    long lines = 0;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      for (int one = in.read(); one >= 0; one = in.read()) {
        lines += one == '\n' ? 1 : 0;
      }
    }
    return lines;
  }

  private List<Long> logLines(ClusterPlan plan) throws IOException {
    List<Long> lines = new ArrayList<>();
    for (int node = 0; node < plan.nodes(); node++) {
      lines.add(lines(directory.resolve(plan.nodeId(node) + ".log")));
    }
    return lines;
  }
}
