package io.lockstep.core.flow;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.SwitchConnection;
import java.util.List;

/** Takes the flow-mods of applications' soft rules. Thread-safe and cheap. */
public interface FlowDoor {

  /**
   * Whether flow-mods go straight to the switch. Otherwise the placer places the rules, and also
   * keeps the entries that send packets to the node.
   */
  boolean isDirect(SwitchConnection connection);

  /** Sends flow-mods; false if the channel is closed or too many wait. */
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
