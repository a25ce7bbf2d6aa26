package io.lockstep.deploy.node;

import io.lockstep.apps.Applications;
import io.lockstep.apps.learningswitch.LearningSwitch;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.node.CoreComponents;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.store.MicroComponent;
import java.util.ArrayList;
import java.util.List;

/** What is registered: applications in every node, micro components in every replica. */
final class Components {
  private Components() {}

  /** All micro components; the same on every replica of a cluster. */
  static List<MicroComponent> all() {
    List<MicroComponent> all = new ArrayList<>(CoreComponents.all());
    all.addAll(Applications.microComponents());
    return List.copyOf(all);
  }

  /** The applications, in the order in which they are asked about a packet. */
  static List<PacketApplication> applications(NodeSettings settings) {
    return List.of(new LearningSwitch(new LearningSwitch.Config(settings.flowIdleSeconds())));
  }
}
