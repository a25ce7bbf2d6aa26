package io.lockstep.core.flow;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.SwitchConnection;
import java.util.List;

/** Where applications' flow-mods go that are no intended rules. Thread-safe and cheap. */
public interface FlowDoor {

  /**
   * Whether they go straight to the switch; else the placer decides, who also sees to it that the
   * switch sends packets up.
   */
  boolean isDirect(SwitchConnection connection);

  /** Sends flow-mods; false where the channel is closed or too much waits. */
  boolean send(SwitchConnection connection, List<FlowMod> mods);

  /** A door that is open for every switch. */
  static FlowDoor open() {
    return new FlowDoor() {
      @Override
      public boolean isDirect(SwitchConnection connection) {
        return true;
      }

      @Override
      public boolean send(SwitchConnection connection, List<FlowMod> mods) {
        return connection.flowMods(mods);
      }
    };
  }
}
