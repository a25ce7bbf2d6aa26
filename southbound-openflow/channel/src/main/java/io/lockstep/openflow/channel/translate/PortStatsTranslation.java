package io.lockstep.openflow.channel.translate;

import io.lockstep.core.southbound.PortStats;
import org.projectfloodlight.openflow.protocol.OFPortStatsEntry;
import org.projectfloodlight.openflow.protocol.OFVersion;

/**
 * From OpenFlow port statistics (OpenFlow 1.0 section 5.3.5, 1.3.5 section 7.3.5.6) to the node's.
 */
public final class PortStatsTranslation {
  /** A duration that the switch does not know has all of its 32 bits set. */
  private static final long UNKNOWN_32 = 0xffff_ffffL;

  private PortStatsTranslation() {}

  /** The counters of one port. */
  public static PortStats toStats(OFPortStatsEntry entry) {
    long seconds = PortStats.UNKNOWN;
    long nanos = PortStats.UNKNOWN;
    if (entry.getVersion() != OFVersion.OF_10 && entry.getDurationSec() != UNKNOWN_32) {
      seconds = entry.getDurationSec();
      nanos = entry.getDurationNsec() == UNKNOWN_32 ? 0 : entry.getDurationNsec();
    }
    return new PortStats(
        PortNumbers.fromWire(entry.getPortNo().getPortNumber()).toLong(),
        entry.getRxPackets().getValue(),
        entry.getTxPackets().getValue(),
        entry.getRxBytes().getValue(),
        entry.getTxBytes().getValue(),
        entry.getRxDropped().getValue(),
        entry.getTxDropped().getValue(),
        entry.getRxErrors().getValue(),
        entry.getTxErrors().getValue(),
        seconds,
        nanos);
  }
}
