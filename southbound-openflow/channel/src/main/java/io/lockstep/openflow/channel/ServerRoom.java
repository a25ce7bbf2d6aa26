package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.SwitchObserver;

/** What the connections of one server share. Thread-safe. */
record ServerRoom(
    OpenFlowServerConfig config,
    SwitchObserver observer,
    SwitchRegistry registry,
    ConnectionLog log,
    ChannelCounters counters) {}
