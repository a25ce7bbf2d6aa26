package io.lockstep.apps;

import io.lockstep.apps.learningswitch.ForgetPorts;
import io.lockstep.apps.learningswitch.LearnAndForward;
import io.lockstep.store.MicroComponent;
import java.util.List;

/** What the applications of this module need to be wired into a node. */
public final class Applications {
  private Applications() {}

  /** The micro components of all applications, for registration in every replica; stateless. */
  public static List<MicroComponent> microComponents() {
    return List.of(new LearnAndForward(), new ForgetPorts());
  }
}
