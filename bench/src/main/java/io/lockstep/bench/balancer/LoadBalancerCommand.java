package io.lockstep.bench.balancer;

import io.lockstep.apps.loadbalancer.state.VirtualIp;
import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.bench.measure.WarmUpLoad.Warmth;
import io.lockstep.bench.openflow.LoadPlan;
import io.lockstep.bench.openflow.OpenFlowLoad;
import io.lockstep.bench.openflow.PlanOptions;
import io.lockstep.bench.process.RunDirectory;
import io.lockstep.bench.result.ResultOptions;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench load-balancer}: connection set-ups of three whole nodes. */
@Command(
    name = "load-balancer",
    description =
        "Starts three controller nodes, plays switches whose hosts open connections to virtual"
            + " IPs, and reports set-ups per second and their latency, from the packet-in of a SYN"
            + " to the first flow-mod. Each point begins with empty tables. With --kill it opens"
            + " connections through an emulated network instead, kills a node in the middle, and"
            + " checks the order of all takes.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class LoadBalancerCommand implements Callable<Integer> {
  private static final int SUBNET = 20;

  /** Before each point, so that its own number is in flight already. */
  private static final int WARM_SECONDS = 2;

  private static final long ASK_AGAIN_MILLIS = 1_000;

  @Spec private CommandSpec spec;

  @Mixin private PlanOptions plan;

  @Option(
      names = "--in-flight",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,64",
      description = "Connections outstanding in total; a point for each (${DEFAULT-VALUE}).")
  private List<Integer> inFlight;

  @Option(
      names = "--warmup",
      paramLabel = "SECONDS",
      defaultValue = "24",
      description =
          "Connections before the first point, until they get no better, with as many in flight as"
              + " any point has; they are forgotten (${DEFAULT-VALUE}).")
  private int warmupSeconds;

  @Option(
      names = "--warmup-most",
      paramLabel = "SECONDS",
      defaultValue = "120",
      description = "So many seconds of them at most (${DEFAULT-VALUE}).")
  private int mostWarmupSeconds;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      defaultValue = "3",
      description =
          "Measured window of each point; all connections of a point are kept (${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--deadline-millis",
      paramLabel = "MS",
      defaultValue = "2000",
      description = "A connection without an answer for so long is lost (${DEFAULT-VALUE}).")
  private int deadlineMillis;

  @Option(
      names = "--kill",
      paramLabel = "CONNECTIONS",
      defaultValue = "0",
      description =
          "Open so many connections, 1000 to 131072, and kill a node in the middle"
              + " (${DEFAULT-VALUE}: measure).")
  private int connections;

  @Mixin private ResultOptions result;

  @Override
  public Integer call() throws BenchException, InterruptedException, IOException {
    if (connections != 0) {
      within("--kill", connections, 1_000, ConnectionLoad.MOST_CONNECTIONS);
      KillPoint point = new KillRun(connections, spec.commandLine().getOut()).run();
      result.writeList(spec, List.of(point));
      return point.pass() ? 0 : 1;
    }
    within("--warmup", warmupSeconds, 1, 600);
    within("--warmup-most", mostWarmupSeconds, 1, 600);
    within("--seconds", seconds, 1, 600);
    inFlight.forEach(one -> within("--in-flight", one, 1, 1 << 16));
    LoadPlan switches = plan.plan();
    if (switches.ports() <= LoadPlan.MEMBERS || switches.hosts() < 2 * switches.ports()) {
      throw new ParameterException(
          spec.commandLine(),
          "--ports: more than "
              + LoadPlan.MEMBERS
              + ", and twice as many --hosts: members and clients have ports of their own");
    }
    List<BalancerPoint> points = new ArrayList<>();
    for (boolean durable : new boolean[] {false, true}) {
      measure(switches, durable, points);
    }
    result.writeList(spec, points);
    return 0;
  }

  private void within(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new ParameterException(
          spec.commandLine(), option + ": " + least + " to " + most + ", not " + value);
    }
  }

  /** Measures all points of one cluster. */
  private void measure(LoadPlan switches, boolean durable, List<BalancerPoint> points)
      throws BenchException, InterruptedException, IOException {
    RunDirectory directory = RunDirectory.create("load-balancer");
    String state = durable ? "" : "state: memory\n";
    try (NodeProcesses nodes =
            new NodeProcesses(
                directory.path(),
                NodeProcesses.domains(switches),
                NodeProcesses.WITHOUT_QUOTAS + state);
        OpenFlowLoad load = OpenFlowLoad.start(switches, nodes.controllers())) {
      nodes.awaitMasters(plan.readyMillis());
      load.learn(plan.readyMillis());
      configure(nodes, switches);
      awaitMembers(nodes, load);
      load.connectToVirtualIps();
      ConnectionLoad connections = new ConnectionLoad(nodes, load, deadlineMillis);
      Warmth warmth =
          connections.warmUp(Collections.max(inFlight), warmupSeconds, mostWarmupSeconds);
      boolean lost = false;
      for (int count : inFlight) {
        connections.open(count, WARM_SECONDS);
        BalancerPoint point =
            BalancerPoint.of(durable, warmth.warm(), connections.measure(count, seconds));
        points.add(point);
        result.keepList(spec, points);
        spec.commandLine().getOut().println(point.line() + warmth.words());
        spec.commandLine().getOut().flush();
        lost |= point.lost() > 0;
      }
      if (lost) {
        spec.commandLine().getOut().println("connections were lost; logs: " + directory.path());
      } else {
        directory.remove();
      }
    } catch (TimeoutException e) {
      throw new BenchException(e.getMessage() + " (logs: " + directory.path() + ")", e);
    }
  }

  private static void configure(NodeProcesses nodes, LoadPlan switches) throws BenchException {
    ServiceSetup setup = new ServiceSetup(nodes.plan().adminEndpoint(0));
    for (int index = 0; index < switches.switches(); index++) {
      String name = "s" + index;
      setup.addPool(name);
      for (int member = 0; member < LoadPlan.MEMBERS; member++) {
        setup.addMember(name + "-m" + member, name, text(switches.ip(index, member)));
      }
      setup.addVip(
          name,
          name,
          text(switches.virtualIp(index)),
          SUBNET,
          VirtualIp.MOST_CONNECTIONS / switches.switches());
    }
  }

  /** The learning switch needs MAC addresses only; a member is found by its IP address. */
  private void awaitMembers(NodeProcesses nodes, OpenFlowLoad load)
      throws BenchException, InterruptedException, TimeoutException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(plan.readyMillis());
    for (int node = 0; node < NodeProcesses.NODES; node++) {
      ServiceSetup asked = new ServiceSetup(nodes.plan().adminEndpoint(node));
      long unknown = asked.unknownMembers();
      while (unknown > 0) {
        if (System.nanoTime() - deadline > 0) {
          throw new TimeoutException("the place of " + unknown + " members is not known");
        }
        load.announceMembers();
        Thread.sleep(ASK_AGAIN_MILLIS);
        unknown = asked.unknownMembers();
      }
    }
  }

  private static String text(int ip) {
    return (ip >>> 24) + "." + (ip >>> 16 & 0xff) + "." + (ip >>> 8 & 0xff) + "." + (ip & 0xff);
  }
}
