package io.lockstep.core.packet;

import io.lockstep.core.app.RankedApplication;
import io.lockstep.core.link.LldpReceiver;
import io.lockstep.store.TableSpec;
import java.util.List;
import java.util.Map;

/**
 * What the dispatcher leads packets to: the receiver of probes and observers first, then processors
 * and applications in one order ({@link RankedApplication#ORDER}).
 *
 * @param tables of the applications
 */
public record PacketHandlers(
    LldpReceiver lldp,
    List<PacketObserver> observers,
    ProcessorChain processors,
    List<RankedApplication> applications,
    Map<String, TableSpec> tables) {
  public PacketHandlers {
    observers = List.copyOf(observers);
    tables = Map.copyOf(tables);
    applications = applications.stream().sorted(RankedApplication.ORDER).toList();
  }
}
