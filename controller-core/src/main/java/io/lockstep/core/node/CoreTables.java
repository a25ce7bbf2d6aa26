package io.lockstep.core.node;

import io.lockstep.core.access.UserTable;
import io.lockstep.core.audit.AuditTables;
import io.lockstep.core.cluster.ClusterComponents;
import io.lockstep.core.device.DeviceTable;
import io.lockstep.core.device.PortTable;
import io.lockstep.core.flow.RuleTables;
import io.lockstep.core.flow.placed.PlacementTables;
import io.lockstep.core.host.HostComponents;
import io.lockstep.core.link.DiscoveryKeyAgreement;
import io.lockstep.core.link.EdgeTable;
import io.lockstep.core.link.LinkTable;
import io.lockstep.core.mastership.MastershipComponents;
import io.lockstep.core.packet.DeactivatedTable;
import io.lockstep.core.path.PathViews;
import io.lockstep.core.staticflow.StaticFlowTable;
import io.lockstep.core.topology.LinkConfirmationTable;
import io.lockstep.store.TableSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The tables that a node needs, for its store client to declare. */
public final class CoreTables {
  private CoreTables() {}

  /** All of them by name. */
  public static Map<String, TableSpec> all() {
    Map<String, TableSpec> all = new HashMap<>(ClusterComponents.tables());
    all.putAll(MastershipComponents.tables());
    all.putAll(HostComponents.tables());
    all.putAll(UserTable.tables());
    all.putAll(AuditTables.all());
    List<String> network =
        List.of(
            DeviceTable.NAME,
            PortTable.NAME,
            LinkTable.NAME,
            EdgeTable.NAME,
            LinkConfirmationTable.NAME,
            StaticFlowTable.NAME,
            DeactivatedTable.NAME,
            DiscoveryKeyAgreement.TABLE.name());
    Stream.of(network, RuleTables.NAMES, PlacementTables.NAMES, PathViews.NAMES)
        .flatMap(List::stream)
        .forEach(name -> all.put(name, TableSpec.values()));
    return Map.copyOf(all);
  }
}
