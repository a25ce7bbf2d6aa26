package io.lockstep.bench.network;

import com.sun.management.UnixOperatingSystemMXBean;
import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.bench.process.RunDirectory;
import io.lockstep.bench.result.ResultOptions;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.dataplane.topology.GeneratedTopology;
import io.lockstep.dataplane.topology.Topology;
import io.lockstep.dataplane.topology.TopologyException;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench network}: networks of many switches at three whole nodes. */
@Command(
    name = "network",
    description =
        "Starts three nodes and an emulated network, and reports how long the switches take to "
            + "connect, to get masters and to have their links known, what the nodes use at rest, "
            + "and what a killed, a stopped and a returning node cost. Ends with exit code 1 where "
            + "a phase did not end.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class NetworkCommand implements Callable<Integer> {
  /** Of this process, besides connections of switches. */
  private static final int OTHER_FILES = 400;

  /** Runs all phases of one run. */
  interface Runner {
    /**
     * Runs them.
     *
     * @param blank a point with what all phases of the run have in common
     * @param directory of the nodes' configuration, logs and state
     * @return what failed, empty where all phases ended
     */
    List<String> run(
        Topology topology,
        NetworkPoint blank,
        NetworkSettings settings,
        PhaseRunner.Sink sink,
        Consumer<String> notes,
        Path directory)
        throws BenchException, InterruptedException;
  }

  private final Runner runner;

  @Spec private CommandSpec spec;

  @Option(
      names = "--switches",
      split = ",",
      paramLabel = "N",
      defaultValue = "10,100,400,1000",
      description = "Numbers of switches; a network for each (${DEFAULT-VALUE}).")
  private List<Integer> switches;

  @Option(
      names = "--topology",
      paramLabel = "SHAPE[:OPTION...]",
      defaultValue = "random",
      description =
          "fat-tree, ring-of-rings or random; with options: hosts=H hosts at each switch, and of "
              + "random seed=S (${DEFAULT-VALUE}).")
  private String topology;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "3",
      description = "Runs with each network (${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = "--rest-seconds",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "How long nothing happens in the phase rest (${DEFAULT-VALUE}).")
  private int restSeconds;

  @Option(
      names = "--flows-per-second",
      paramLabel = "N",
      defaultValue = "50",
      description = "New flows while nodes leave and return, 1 to 1000 (${DEFAULT-VALUE}).")
  private int flowsPerSecond;

  @Option(
      names = "--deadline",
      paramLabel = "SECONDS",
      defaultValue = "120",
      description = "A phase that takes longer counts as one that does not end (${DEFAULT-VALUE}).")
  private int deadlineSeconds;

  @Option(
      names = "--keys",
      description = "Encrypt and authenticate the links between nodes, as keys do.")
  private boolean keys;

  @Mixin private ResultOptions result;

  private final List<NetworkPoint> points = new ArrayList<>();
  private final StringBuilder failures = new StringBuilder();

  /** The command as it is run by users. */
  public NetworkCommand() {
    this(
        (topology, blank, settings, sink, notes, directory) ->
            new NetworkRun(topology, blank, settings, sink, notes).run(directory));
  }

  NetworkCommand(Runner runner) {
    this.runner = runner;
  }

  @Override
  public Integer call() throws BenchException, InterruptedException, IOException {
    Map<String, Topology> networks = networks();
    within("--runs", runs, 1, 1000);
    within("--rest-seconds", restSeconds, 1, 3600);
    within("--flows-per-second", flowsPerSecond, 1, 1000);
    within("--deadline", deadlineSeconds, 1, 3600);
    for (Topology network : networks.values()) {
      refuseTooFewFiles(network);
    }
    // Before anything logs; nodes have a log of their own.
    if (System.getProperty("logback.configurationFile") == null) {
      System.setProperty("logback.configurationFile", "io/lockstep/bench/network/logback.xml");
    }
    for (Map.Entry<String, Topology> network : networks.entrySet()) {
      spec.commandLine().getOut().println(network.getValue().name());
      for (int run = 1; run <= runs; run++) {
        measure(network.getKey(), network.getValue(), run);
      }
    }
    result.writeList(spec, points);
    return failures.isEmpty() ? 0 : 1;
  }

  private Map<String, Topology> networks() {
    Map<String, Topology> networks = new LinkedHashMap<>();
    String[] parts = topology.split(":", 2);
    for (int count : switches) {
      String text = parts[0] + ":" + count + (parts.length == 1 ? "" : ":" + parts[1]);
      try {
        networks.put(text, GeneratedTopology.parse(text).build());
      } catch (TopologyException e) {
        throw new ParameterException(
            spec.commandLine(), "--topology, --switches: " + e.getMessage(), e);
      }
    }
    return networks;
  }

  private void within(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new ParameterException(
          spec.commandLine(), option + ": " + least + " to " + most + ", not " + value);
    }
  }

  /** Later that would show as switches that do not connect. */
  private static void refuseTooFewFiles(Topology network) throws BenchException {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
      long needed = (long) NodeProcesses.NODES * network.switches().size() + OTHER_FILES;
      long most = unix.getMaxFileDescriptorCount();
      if (most >= 0 && most < needed) {
        throw new BenchException(
            network.name()
                + " needs "
                + needed
                + " open files and connections, and this process may have "
                + most
                + ": allow it more (ulimit -n)");
      }
    }
  }

  private void measure(String text, Topology network, int run)
      throws BenchException, InterruptedException, IOException {
    PrintWriter out = spec.commandLine().getOut();
    RunDirectory directory = RunDirectory.create("network");
    NetworkPoint blank = NetworkPoint.of(network, text, run);
    NetworkSettings settings =
        new NetworkSettings(restSeconds, flowsPerSecond, deadlineSeconds, keys);
    List<String> failed =
        runner.run(network, blank, settings, this::keep, out::println, directory.path());
    for (String failure : failed) {
      out.println("failed: " + failure);
      failures.append(text).append(" run ").append(run).append(": ").append(failure).append('\n');
    }
    if (failed.isEmpty()) {
      directory.remove();
    } else {
      result.writeBeside(spec, ".failures.txt", failures.toString());
      out.println("logs: " + directory.path());
    }
    out.flush();
  }

  private void keep(NetworkPoint point) throws BenchException {
    spec.commandLine().getOut().println(point.line());
    spec.commandLine().getOut().flush();
    points.add(point);
    result.keepList(spec, points);
  }
}
