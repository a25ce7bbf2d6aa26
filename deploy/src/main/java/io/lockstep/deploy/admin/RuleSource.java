package io.lockstep.deploy.admin;

import io.lockstep.core.flow.placed.PlacementReport;
import io.lockstep.core.flow.placed.RuleReport;
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

  /** What the process counts, in the text format of Prometheus. */
  default String metrics() {
    return "";
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
