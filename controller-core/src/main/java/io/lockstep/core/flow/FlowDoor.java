package io.lockstep.core.flow;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.SwitchConnection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes the flow-mods of applications' soft rules. Thread-safe and cheap. */
public interface FlowDoor {

  /**
   * Whether flow-mods go straight to the switch. Otherwise the placer places the rules, and also
   * keeps the entries that send packets to the node.
   */
  boolean isDirect(SwitchConnection connection);

  /** Sends flow-mods; false if the channel is closed or too many wait. */
  boolean send(SwitchConnection connection, List<FlowMod> mods);

  /** How matches of entries are chosen for a switch; as asked where flow-mods go straight to it. */
  default MatchChoice matches(SwitchConnection connection) {
    return MatchChoice.AS_ASKED;
  }

  /** Rules of the switch that the node itself applies; null where it applies none. */
  default @Nullable RulesInNode inNode(SwitchConnection connection) {
    return null;
  }

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
