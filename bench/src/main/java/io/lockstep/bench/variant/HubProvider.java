package io.lockstep.bench.variant;

import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.ApplicationProvider;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.app.PacketView;
import io.lockstep.store.TableSpec;
import java.util.Map;

/**
 * A hub: it floods each packet that no application before it wanted, and asks the store nothing. So
 * hosts reach each other while one application is looked at alone, and all their packets come up.
 *
 * @param tables that are declared with it
 */
record HubProvider(Map<String, TableSpec> tables) implements ApplicationProvider {
  private static final String NAME = "hub";
  private static final Decision FLOOD = Decision.act(new Instruction.Flood());

  HubProvider {
    tables = Map.copyOf(tables);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int priority() {
    return LAST_PRIORITY;
  }

  @Override
  public PacketApplication create(ApplicationConfiguration configuration) {
    return new PacketApplication() {
      @Override
      public String name() {
        return NAME;
      }

      @Override
      public Decision packetIn(PacketView packet, NetworkView network) {
        return FLOOD;
      }
    };
  }
}
