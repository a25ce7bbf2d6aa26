package io.lockstep.deploy.node;

import io.lockstep.apps.Applications;
import io.lockstep.core.node.CoreComponents;
import io.lockstep.core.node.CoreTables;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.TableSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is registered: tables by every node, micro components in every replica. */
final class Components {
  private Components() {}

  /** All micro components; the same on every replica of a cluster. */
  static List<MicroComponent> all() {
    List<MicroComponent> all = new ArrayList<>(CoreComponents.all());
    all.addAll(Applications.microComponents());
    return List.copyOf(all);
  }

  /** The same and more. */
  static List<MicroComponent> with(List<MicroComponent> more) {
    List<MicroComponent> all = new ArrayList<>(all());
    all.addAll(more);
    return List.copyOf(all);
  }

  /** All tables, for the node's client to declare. */
  static Map<String, TableSpec> tables(NodeSettings settings) {
    Map<String, TableSpec> all = new HashMap<>(CoreTables.all());
    all.putAll(settings.applications().tables());
    return Map.copyOf(all);
  }
}
