package io.lockstep.core.statistics;

import io.lockstep.core.southbound.PortStats;
import io.lockstep.core.southbound.TableClaims;
import io.lockstep.core.southbound.TableStats;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DefaultPortStatistics;
import org.onosproject.net.device.PortStatistics;
import org.onosproject.net.flow.DefaultTableStatisticsEntry;
import org.onosproject.net.flow.IndexTableId;
import org.onosproject.net.flow.TableStatisticsEntry;

/** Counters in onos-api's words. */
final class OnosStatistics {
  private OnosStatistics() {}

  /** The counters of a port; -1 stands for what the switch does not count. */
  static PortStatistics port(DeviceId device, PortStats stats) {
    return DefaultPortStatistics.builder()
        .setDeviceId(device)
        .setPort(PortNumber.portNumber(stats.port()))
        .setPacketsReceived(stats.rxPackets())
        .setPacketsSent(stats.txPackets())
        .setBytesReceived(stats.rxBytes())
        .setBytesSent(stats.txBytes())
        .setPacketsRxDropped(stats.rxDropped())
        .setPacketsTxDropped(stats.txDropped())
        .setPacketsRxErrors(stats.rxErrors())
        .setPacketsTxErrors(stats.txErrors())
        .setDurationSec(stats.durationSeconds())
        .setDurationNano(stats.durationNanos())
        .build();
  }

  /**
   * The counters of a table.
   *
   * @param claims what the switch said of its tables, for the size
   */
  static TableStatisticsEntry table(DeviceId device, TableStats stats, TableClaims claims) {
    DefaultTableStatisticsEntry.Builder entry =
        DefaultTableStatisticsEntry.builder()
            .withDeviceId(device)
            .withTableId(IndexTableId.of(stats.tableId()))
            .withActiveFlowEntries(stats.activeEntries())
            .withPacketsLookedUpCount(stats.lookups())
            .withPacketsMatchedCount(stats.matched());
    for (TableClaims.Table claim : claims.tables()) {
      if (claim.number() == stats.tableId()) {
        entry.withMaxSize(claim.maxEntries());
      }
    }
    return entry.build();
  }
}
