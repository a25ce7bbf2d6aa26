package io.lockstep.core.app;

import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;

/** One step of a decision, carried out at the switch the event came from. */
public sealed interface Instruction {

  /**
   * Installs a soft flow entry (not an intended rule: it is not kept in the store and goes by its
   * time-outs). Sent before any packet of the same decision.
   *
   * @param priority 0 to {@link #MAX_PRIORITY}
   * @param idleTimeoutSeconds 0 for none
   * @param hardTimeoutSeconds 0 for none
   */
  record InstallFlow(
      TrafficSelector selector,
      TrafficTreatment treatment,
      int priority,
      int idleTimeoutSeconds,
      int hardTimeoutSeconds)
      implements Instruction {
    /** What is above it takes link probes up; a rule beside that could take them away. */
    public static final int MAX_PRIORITY = 65_534;

    public InstallFlow {
      if (priority < 0 || priority > MAX_PRIORITY) {
        throw new IllegalArgumentException(
            "priority " + priority + " is not within 0 to " + MAX_PRIORITY);
      }
    }
  }

  /** Removes the application's own soft entries that the selector contains (non-strict). */
  record RemoveFlows(TrafficSelector selector) implements Instruction {}

  /** Removes the application's own soft entries that send to {@code port}. */
  record RemoveFlowsTo(PortNumber port) implements Instruction {}

  /**
   * Reports that the application keeps no further address at the port that the packet came in on.
   * The node counts it and logs it, seldom for one port.
   */
  record ReportFullPort() implements Instruction {}

  /** Sends the packet out of one port. */
  record Forward(PortNumber port) implements Instruction {}

  /** Sends the packet along the loop-free broadcast tree: {@link NetworkView#floodPorts}. */
  record Flood() implements Instruction {}
}
