package io.lockstep.bench.network;

import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.NetworkOptions;
import io.lockstep.dataplane.topology.Topology;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One run: three nodes, a network, and all phases. Used by one thread. */
final class NetworkRun {
  /** The nodes are configured as a node is where nothing else is said. */
  private static final String NOTHING_ELSE = "";

  private final Topology topology;
  private final NetworkPoint blank;
  private final NetworkSettings settings;
  private final PhaseRunner.Sink sink;
  private final Consumer<String> notes;

  /**
   * @param blank a point with what all phases of the run have in common
   * @param sink gets a point for each phase
   * @param notes gets what is worth to know of a run and is no failure
   */
  NetworkRun(
      Topology topology,
      NetworkPoint blank,
      NetworkSettings settings,
      PhaseRunner.Sink sink,
      Consumer<String> notes) {
    this.topology = topology;
    this.blank = blank;
    this.settings = settings;
    this.sink = sink;
    this.notes = notes;
  }

  /**
   * Runs. A phase that does not end ends the run, but for {@code linked}: what follows can be
   * measured without some links.
   *
   * @param directory of the nodes' configuration, logs and state
   * @return what failed, empty where all phases ended
   */
  List<String> run(Path directory) throws BenchException, InterruptedException {
    List<String> failures = new ArrayList<>();
    try (NodeProcesses nodes =
        new NodeProcesses(directory, NodeViews.domains(topology), NOTHING_ELSE, settings.keys())) {
      NodeViews views = new NodeViews(topology, nodes);
      PhaseRunner runner = new PhaseRunner(blank, nodes, views, settings.deadlineSeconds(), sink);
      Goal ready = new Goal("nodes or domains that are not ready", List::of, views::unready);
      runner.before(NetworkPhases.CONNECT, () -> runner.awaitStart(ready));
      try (EmulatedNetwork network =
          new EmulatedNetwork(topology, NetworkOptions.ordinary(nodes.controllers()))) {
        NetworkPhases phases = new NetworkPhases(nodes, views, runner, network, settings);
        phases.comeUp(failures);
        int unknown = phases.rest();
        if (unknown > 0) {
          notes.accept(unknown + " of " + blank.hosts() + " hosts stay unknown to the node asked");
        }
        if (phases.flowsPerSecond() < settings.flowsPerSecond()) {
          notes.accept(
              "only "
                  + phases.flowsPerSecond()
                  + " flows a second between these hosts are new: entries live 10 s");
        }
        phases.fail(blank.run());
      }
    } catch (PhaseException e) {
      failures.add(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      failures.add("the nodes or their files: " + e);
    }
    return failures;
  }
}
