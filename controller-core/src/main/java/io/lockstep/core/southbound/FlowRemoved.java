package io.lockstep.core.southbound;

import org.onosproject.net.flow.TrafficSelector;

/** A flow entry is gone (OpenFlow 1.3.5 section 7.4.2). Duration in seconds. */
public record FlowRemoved(
    int tableId,
    int priority,
    long cookie,
    Reason reason,
    long durationSeconds,
    long packets,
    long bytes,
    TrafficSelector selector) {

  /** Why it is gone. */
  public enum Reason {
    IDLE_TIMEOUT,
    HARD_TIMEOUT,
    DELETE,
    GROUP_DELETE
  }
}
