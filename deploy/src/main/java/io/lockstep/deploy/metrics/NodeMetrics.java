package io.lockstep.deploy.metrics;

import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.node.ControllerNode;
import io.lockstep.core.node.NetworkRoom;
import io.lockstep.core.node.NodeStatus;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.deploy.process.ProductVersion;
import io.lockstep.keys.LinkKeys;
import io.lockstep.openflow.channel.ChannelCounters;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderingReplica;
import io.lockstep.store.engine.ReplicaStatus;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;

/**
 * The metrics of one process. Asks the node on its control loop and waits a second at most for it;
 * what does not answer is left out, and {@code lockstep_node_answers} is 0. Any thread.
 */
public final class NodeMetrics {
  private static final long PATIENCE_MILLIS = 1000;

  private final NodeSettings settings;
  private final MetricSources sources;
  private final ProcessFamilies process = new ProcessFamilies();

  /** The metrics of the process with these settings. */
  public NodeMetrics(NodeSettings settings, MetricSources sources) {
    this.settings = settings;
    this.sources = sources;
  }

  private record Rules(Map<Long, PlacementReport> tables, Map<FlowEntryState, Integer> states) {}

  /** All families in the text format of Prometheus. */
  public String text() {
    MetricFamilies families = new MetricFamilies();
    families.info(
        "lockstep_build_info",
        "The program that runs.",
        Map.of("version", ProductVersion.text(), "java", Runtime.version().toString()));
    families.info(
        "lockstep_node_info",
        "The process by the names of its configuration.",
        Map.of("cluster", settings.cluster(), "node", settings.nodeId()));
    process.add(families);
    OrderingReplica replica = sources.replica();
    ReplicaStatus replicaStatus = replica == null ? null : replica.status();
    if (replica != null && replicaStatus != null) {
      ReplicaFamilies.add(families, replica, replicaStatus, settings.replicas().size());
      ReplicaFamilies.addFiles(families, settings.store().directory());
    }
    StoreStateMachine machine = sources.machine();
    if (machine != null) {
      ReplicaFamilies.addState(families, machine);
    }
    BatchingStoreClient client = sources.client();
    if (client != null) {
      ClientFamilies.add(families, client.measures());
    }
    LinkKeys keys = sources.keys();
    if (keys != null) {
      KeyFamilies.add(families, keys);
    }
    MetricFamilies.Samples refused =
        families.counter(
            "lockstep_admin_requests_refused_total",
            "Requests that the admin HTTP refused for who sent them, by the reason.",
            "reason");
    sources.adminRefusals().forEach((reason, count) -> refused.add(count, reason));
    NodeStatus status = addNode(families);
    families
        .gauge("lockstep_node_ready", "Whether the process takes part: /health/ready is 200.")
        .add(sources.ready(status, replicaStatus) ? 1 : 0);
    return families.text();
  }

  private @Nullable NodeStatus addNode(MetricFamilies families) {
    ControllerNode node = sources.node();
    if (node == null) {
      return null;
    }
    CompletableFuture<NodeStatus> asked = node.status();
    NetworkRoom room = NetworkFamilies.roomOf(node);
    CompletableFuture<Rules> rulesAsked =
        room == null
            ? new CompletableFuture<>()
            : room.askRules(rules -> new Rules(rules.reports(), rules.ruleStates()));
    NodeStatus status = answer(asked);
    families
        .gauge("lockstep_node_answers", "Whether the control loop of the node answers in a second.")
        .add(status == null ? 0 : 1);
    if (status != null) {
      MastershipFamilies.add(families, status);
    }
    MastershipFamilies.addCounters(families, node.mastershipCounters());
    if (room != null) {
      PacketFamilies.add(families, room.counters());
      NetworkFamilies.add(families, node);
      Rules rules = status == null ? null : answer(rulesAsked);
      if (rules != null) {
        TableFamilies.add(families, rules.tables());
        TableFamilies.addStates(families, rules.states());
      }
    }
    ChannelCounters channels = sources.channels();
    if (channels != null) {
      ChannelFamilies.add(families, channels);
    }
    return status;
  }

  private static <T> @Nullable T answer(CompletableFuture<T> asked) {
    try {
      return asked.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return null; // lockstep_node_answers shows it
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
