package io.lockstep.core.node;

import io.lockstep.core.audit.AuditTables;
import io.lockstep.core.cluster.ClusterComponents;
import io.lockstep.core.host.HostComponents;
import io.lockstep.core.mastership.MastershipComponents;
import io.lockstep.store.MicroComponent;
import java.util.ArrayList;
import java.util.List;

/** The micro components that a node needs, for registration in every replica. */
public final class CoreComponents {
  private CoreComponents() {}

  /** All of them; each is stateless. */
  public static List<MicroComponent> all() {
    List<MicroComponent> all = new ArrayList<>(ClusterComponents.all());
    all.addAll(MastershipComponents.all());
    all.addAll(HostComponents.all());
    all.addAll(AuditTables.components());
    return List.copyOf(all);
  }
}
