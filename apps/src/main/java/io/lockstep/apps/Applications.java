package io.lockstep.apps;

import io.lockstep.apps.learningswitch.ForgetLearned;
import io.lockstep.apps.learningswitch.ForgetPorts;
import io.lockstep.apps.learningswitch.LearnAndForward;
import io.lockstep.apps.learningswitch.LearnInVlan;
import io.lockstep.apps.learningswitch.LearningSwitch;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.TableSpec;
import java.util.List;
import java.util.Map;

/** What the applications of this module need to be wired into a node. */
public final class Applications {
  private Applications() {}

  /**
   * The micro components of all applications, for registration in every replica; stateless. {@link
   * LearnAndForward} and {@link ForgetPorts} are no longer called: a log of an earlier release may
   * hold calls of them, and every replica must replay such a log to the same state.
   */
  public static List<MicroComponent> microComponents() {
    return List.of(
        new LearnInVlan(), new ForgetLearned(), new LearnAndForward(), new ForgetPorts());
  }

  /** The tables of all applications, for every client to declare. */
  public static Map<String, TableSpec> tables() {
    return LearningSwitch.TABLES;
  }
}
