package io.lockstep.core.flow;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.PacketIn;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;

/** The flow-mods with which one application installs entries in passing, and removes them. */
record ApplicationEntries(String application, int idleTimeoutSeconds) {
  FlowMod add(int priority, TrafficSelector selector, TrafficTreatment treatment) {
    return flowMod(FlowMod.Operation.ADD, priority, 0, idleTimeoutSeconds, selector, treatment);
  }

  /** Removes all entries of the application whose matches are within this one. */
  FlowMod removal(TrafficSelector selector) {
    return removal(selector, DefaultTrafficTreatment.emptyTreatment());
  }

  /** The same for those entries that output where this treatment does. */
  FlowMod removal(TrafficSelector selector, TrafficTreatment outputs) {
    return flowMod(FlowMod.Operation.DELETE, 0, Cookies.OWNER_MASK, 0, selector, outputs);
  }

  private FlowMod flowMod(
      FlowMod.Operation operation,
      int priority,
      long cookieMask,
      int idleSeconds,
      TrafficSelector selector,
      TrafficTreatment treatment) {
    return new FlowMod(
        operation,
        0,
        priority,
        Cookies.softEntriesOf(application),
        cookieMask,
        idleSeconds,
        0,
        false,
        PacketIn.NO_BUFFER,
        selector,
        treatment);
  }
}
