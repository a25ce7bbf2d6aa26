package io.lockstep.bench.variant;

import io.lockstep.bench.balancer.ServiceSetup;
import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.bench.variant.VariantNode.TracedApplication;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.launch.LaunchedNode;
import io.lockstep.openflow.channel.ovs.OpenVSwitch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Records the traffic between one application and the store on Open vSwitch. With {@code
 * -Dlockstep.traces.out=DIR}, below the repository's root, it records all applications in all
 * variants, or those of {@code -Dlockstep.traces.application=NAME,...}, and puts the traces there:
 * so those of bench/traces were made.
 */
class TraceRecordingIT {
  private static final String OUT = System.getProperty("lockstep.traces.out", "");
  private static final String ONLY = System.getProperty("lockstep.traces.application", "");

  /** Failsafe's working directory is the module's. */
  private static final Path ROOT = Path.of("..");

  private static final long PATIENCE_MILLIS = 60_000;
  private static final long POLL_MILLIS = 100;

  @TempDir private Path directory;

  /** An application in a variant. */
  record Recorded(TracedApplication application, Variant variant) {}

  static List<Recorded> recorded() {
    if (OUT.isEmpty()) {
      return List.of(new Recorded(TracedApplication.LOAD_BALANCER, Variant.VERS));
    }
    List<Recorded> all = new ArrayList<>();
    for (TracedApplication application : TracedApplication.values()) {
      for (Variant variant : Variant.values()) {
        if (ONLY.isEmpty() || ONLY.contains(application.label())) {
          all.add(new Recorded(application, variant));
        }
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("recorded")
  void eventsOnOpenVSwitchAskWhatThePaperAsks(Recorded one) throws Exception {
    OpenVSwitch.assumeAvailable();
    Path trace = record(one);
    RecordedTrace read = RecordedTrace.read(trace, Integer.MAX_VALUE);
    PaperComparison.assertAsInThePaper(read, one.application(), one.variant(), 10);
    if (!OUT.isEmpty()) {
      Path out = Files.createDirectories(ROOT.resolve(OUT));
      Files.copy(
          trace,
          out.resolve(RecordedTrace.name(one.application(), one.variant())),
          StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private Path record(Recorded one) throws Exception {
    try (NodeProcesses nodes =
            new NodeProcesses(
                Files.createDirectory(directory.resolve("nodes")),
                List.of(new DomainPlan("d1", List.of(RecordedHosts.DPID), 0)),
                NodeProcesses.WITHOUT_QUOTAS + "state: memory\n",
                (configuration, log) -> node(one, configuration, log));
        OpenVSwitch ovs = OpenVSwitch.start(Files.createDirectory(directory.resolve("ovs")))) {
      RecordedHosts hosts = new RecordedHosts(ovs, nodes.controllers());
      nodes.awaitMasters(PATIENCE_MILLIS);
      hosts.awaitPings();
      boolean balances = one.application() == TracedApplication.LOAD_BALANCER;
      if (balances) {
        hosts.serve();
        ServiceInStore.configure(nodes.plan(), RecordedHosts.service(), one.variant());
        ServiceSetup asked = new ServiceSetup(nodes.plan().adminEndpoint(0));
        await(() -> asked.unknownMembers() == 0, "the place of each member is known");
      }
      NodeRecordings recordings = new NodeRecordings(nodes.plan());
      recordings.start();
      if (balances) {
        hosts.awaitPings();
        hosts.connect(40, 10, one.variant() == Variant.OWN);
      } else {
        hosts.pingNewDevices(40);
      }
      long[] before = new long[NodeProcesses.NODES];
      await(
          () -> {
            long[] last = before.clone();
            for (int node = 0; node < before.length; node++) {
              before[node] = recordings.events(node);
            }
            return Arrays.equals(before, last) && before[busiest(before)] > 0;
          },
          "events come, and then no more");
      return recordings.stop().get(busiest(before));
    }
  }

  /** The node that masters the switch: the first one, unless the machine let it wait too long. */
  private static int busiest(long[] events) {
    int busiest = 0;
    for (int node = 1; node < events.length; node++) {
      busiest = events[node] > events[busiest] ? node : busiest;
    }
    return busiest;
  }

  private static LaunchedNode node(Recorded one, Path configuration, Path log) {
    return LaunchedNode.of(
        VariantNodeMain.class,
        List.of(one.application().name(), one.variant().name(), configuration.toString(), "true"),
        log);
  }

  private static void await(Callable<Boolean> condition, String what) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    while (!condition.call()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + PATIENCE_MILLIS + " ms: " + what);
      }
      Thread.sleep(POLL_MILLIS);
    }
  }
}
