package io.lockstep.deploy.admin;

import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.RuleReport;
import io.lockstep.core.packet.DroppedPackets;
import java.util.List;
import java.util.Map;

/**
 * What a node knows of the flow tables of the switches that it masters, and what it counts. Any
 * thread.
 */
public interface RuleSource {

  /** The tables of switches with bounded ones, by datapath id in 16 hexadecimal digits. */
  Map<String, PlacementReport> tables();

  /** Why the rules with this id are where they are, by datapath id. */
  Map<String, RuleReport> explain(long flowId);

  /**
   * What was counted since the node's start: by the name of a metric, and then by the value of its
   * one label {@code what}.
   */
  default Map<String, Map<String, Long>> counters() {
    return Map.of();
  }

  /**
   * The same of each application: by the name of a metric, and then by the value of its one label
   * {@code application}, of which there are a bounded number.
   */
  default Map<String, Map<String, Long>> applicationCounters() {
    return Map.of();
  }

  /**
   * What ordered operations were for: by the name of a metric, and then by the value of its one
   * label {@code cause}, of which there are a bounded number.
   */
  default Map<String, Map<String, Long>> causes() {
    return Map.of();
  }

  /** The packet-ins that were dropped because there was too much. */
  default List<DroppedPackets.Count> droppedPackets() {
    return List.of();
  }

  /** For a process without a node. */
  RuleSource NONE =
      new RuleSource() {
        @Override
        public Map<String, PlacementReport> tables() {
          return Map.of();
        }

        @Override
        public Map<String, RuleReport> explain(long flowId) {
          return Map.of();
        }
      };
}
