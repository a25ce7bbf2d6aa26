package io.lockstep.core.cluster;

import io.lockstep.store.MicroComponent;
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
    return Map.of(
        NodeTable.NAME, TableSpec.values(),
        ConnectionTable.NAME, TableSpec.values(),
        DomainsTable.NAME, TableSpec.values(),
        FollowerTable.NAME, TableSpec.values(),
        DrainTable.NAME, TableSpec.values(),
        MemberListTable.NAME, TableSpec.values(),
        SummaryTable.NAME, TableSpec.values(),
        ApplicationTable.NAME, TableSpec.values(),
        ApplicationTable.COUNTERS, TableSpec.values());
  }
}
