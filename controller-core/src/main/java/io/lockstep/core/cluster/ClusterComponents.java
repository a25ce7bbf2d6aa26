package io.lockstep.core.cluster;

import io.lockstep.store.MicroComponent;
import io.lockstep.store.Release;
import io.lockstep.store.TableSpec;
import java.util.List;
import java.util.Map;

/** What the cluster room needs of the store. */
public final class ClusterComponents {
  private ClusterComponents() {}

  /** The micro components, for registration in every replica; each is stateless. */
  public static List<MicroComponent> all() {
    return List.of(new JoinCluster(), new PublishConnections(), new RegisterApplication());
  }

  /** The tables, for every client to declare. */
  public static Map<String, TableSpec> tables() {
    return Map.ofEntries(
        Map.entry(NodeTable.NAME, TableSpec.values()),
        Map.entry(ConnectionTable.NAME, TableSpec.values()),
        Map.entry(DomainsTable.NAME, TableSpec.values()),
        Map.entry(FollowerTable.NAME, TableSpec.values()),
        Map.entry(DrainTable.NAME, TableSpec.values()),
        Map.entry(MemberListTable.NAME, TableSpec.values()),
        Map.entry(MachineTable.NAME, TableSpec.values()),
        Map.entry(Release.TABLE, TableSpec.values()),
        Map.entry(SummaryTable.NAME, TableSpec.values()),
        Map.entry(ApplicationTable.NAME, TableSpec.values()),
        Map.entry(ApplicationTable.COUNTERS, TableSpec.values()));
  }
}
