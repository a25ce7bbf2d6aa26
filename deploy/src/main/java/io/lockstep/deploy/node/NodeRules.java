package io.lockstep.deploy.node;

import io.lockstep.core.flow.RuleInstaller;
import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.RuleReport;
import io.lockstep.core.node.ControllerNode;
import io.lockstep.core.node.NetworkRoom;
import io.lockstep.deploy.admin.RuleSource;
import io.lockstep.deploy.metrics.NodeMetrics;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the node, on its control loop, for the flow tables of the switches that it masters. Waits a
 * second at most; a node that does not answer knows nothing.
 */
final class NodeRules implements RuleSource {
  private static final long PATIENCE_MILLIS = 1000;
  private final Supplier<@Nullable ControllerNode> node;
  private final NodeMetrics metrics;

  /** Asks the node that runs by then. */
  NodeRules(Supplier<@Nullable ControllerNode> node, NodeMetrics metrics) {
    this.node = node;
    this.metrics = metrics;
  }

  @Override
  public Map<String, PlacementReport> tables() {
    return ask(RuleInstaller::reports);
  }

  @Override
  public Map<String, RuleReport> explain(long flowId) {
    return ask(installer -> installer.explain(flowId));
  }

  @Override
  public String metrics() {
    return metrics.text();
  }

  private @Nullable NetworkRoom room() {
    ControllerNode running = node.get();
    return running == null || !running.services().names().contains(NetworkRoom.class.getName())
        ? null
        : running.services().get(NetworkRoom.class);
  }

  private <T> Map<String, T> ask(Function<RuleInstaller, Map<Long, T>> question) {
    NetworkRoom room = room();
    if (room == null) {
      return Map.of();
    }
    try {
      Map<Long, T> answer = room.askRules(question).get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      Map<String, T> named = new TreeMap<>();
      answer.forEach((dpid, one) -> named.put(String.format(Locale.ROOT, "%016x", dpid), one));
      return named;
    } catch (TimeoutException | ExecutionException e) {
      return Map.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Map.of();
    }
  }
}
