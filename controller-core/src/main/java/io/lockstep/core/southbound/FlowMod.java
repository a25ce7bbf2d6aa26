package io.lockstep.core.southbound;

import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;

/**
 * A change of a flow table (OpenFlow 1.3.5 section 7.3.4.1).
 *
 * @param cookie for deletes with {@code cookieMask} not 0: only entries whose masked cookie matches
 * @param idleTimeoutSeconds 0 for none, at most 65 535
 * @param hardTimeoutSeconds 0 for none, at most 65 535
 * @param notifyRemoval whether the switch shall say when the entry goes
 * @param treatment for deletes: empty, or one output that restricts the delete to entries that send
 *     to that port ({@code out_port})
 * @param bufferId a buffered packet to send through the new entry, or {@link PacketIn#NO_BUFFER}
 */
public record FlowMod(
    Operation operation,
    int tableId,
    int priority,
    long cookie,
    long cookieMask,
    int idleTimeoutSeconds,
    int hardTimeoutSeconds,
    boolean notifyRemoval,
    long bufferId,
    TrafficSelector selector,
    TrafficTreatment treatment) {

  /** What to do. */
  public enum Operation {
    ADD,
    MODIFY_STRICT,
    DELETE,
    DELETE_STRICT
  }
}
