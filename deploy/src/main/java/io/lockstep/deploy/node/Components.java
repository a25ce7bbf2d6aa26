package io.lockstep.deploy.node;

import io.lockstep.apps.Applications;
import io.lockstep.core.node.CoreComponents;
import io.lockstep.store.MicroComponent;
import java.util.ArrayList;
import java.util.List;

/** The micro components that are registered in every replica. All replicas must have the same. */
final class Components {
  private Components() {}

  static List<MicroComponent> all() {
    List<MicroComponent> all = new ArrayList<>(CoreComponents.all());
    all.addAll(Applications.microComponents());
    return List.copyOf(all);
  }
}
