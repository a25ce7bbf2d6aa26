package io.lockstep.core.southbound;

import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.meter.MeterId;

/**
 * One flow entry as the switch reports it. Times in seconds, counters since installation.
 *
 * @param treatment {@link #INEXPRESSIBLE} where onos-api has no words for what the entry does
 */
public record FlowStats(
    int tableId,
    int priority,
    long cookie,
    int idleTimeoutSeconds,
    int hardTimeoutSeconds,
    long durationSeconds,
    long packets,
    long bytes,
    TrafficSelector selector,
    TrafficTreatment treatment) {
  /**
   * Stands for actions that onos-api cannot express, such as those that choose a queue. No entry of
   * this controller has them, because it sends only what it can read back: an entry that has them
   * and its cookie was changed by another. It names a meter, which {@link TrafficTreatment#equals}
   * does not look at: compare meters, too.
   */
  public static final TrafficTreatment INEXPRESSIBLE =
      DefaultTrafficTreatment.builder().meter(MeterId.ALL).build();
}
