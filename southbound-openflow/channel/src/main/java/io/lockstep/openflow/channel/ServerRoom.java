package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.SwitchObserver;
import io.lockstep.openflow.channel.ConnectionLog.Severity;
import io.lockstep.openflow.channel.access.SwitchAccess;

/** What the connections of one server share. Thread-safe. */
record ServerRoom(
    OpenFlowServerConfig config,
    SwitchObserver observer,
    SwitchRegistry registry,
    ConnectionLog log,
    ChannelCounters counters,
    SwitchAccess access) {

  /** Closes a connection that did not show what lets it be this switch; on its event loop. */
  boolean turnsAway(Peer peer, long dpid) {
    String refusal = access.refusal(peer.credential(), dpid);
    if (refusal != null) {
      counters.refused();
      peer.close(Severity.WARN, refusal);
    }
    return refusal != null;
  }
}
