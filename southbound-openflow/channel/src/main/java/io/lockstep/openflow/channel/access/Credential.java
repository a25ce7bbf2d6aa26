package io.lockstep.openflow.channel.access;

import io.lockstep.core.cluster.DpidRange;
import java.net.InetAddress;
import java.util.List;

/** What a connection showed of itself before it spoke OpenFlow. */
public sealed interface Credential {
  /**
   * A certificate.
   *
   * @param name how log lines call it
   * @param switches the datapath ids that it is for
   */
  record Certificate(String name, List<DpidRange> switches) implements Credential {
    public Certificate {
      switches = List.copyOf(switches);
    }
  }

  /** Nothing but the address that it came from: no TLS. */
  record Address(InetAddress address) implements Credential {}
}
