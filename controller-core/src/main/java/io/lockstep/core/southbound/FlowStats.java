package io.lockstep.core.southbound;

import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;

/** One flow entry as the switch reports it. Times in seconds, counters since installation. */
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
    TrafficTreatment treatment) {}
