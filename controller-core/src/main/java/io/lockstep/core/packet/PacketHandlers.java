package io.lockstep.core.packet;

import io.lockstep.core.app.RankedApplication;
import io.lockstep.core.link.LldpReceiver;
import java.util.List;

/**
 * What the dispatcher leads packets to: the receiver of probes and observers first, then processors
 * and applications in one order ({@link RankedApplication#ORDER}).
 */
public record PacketHandlers(
    LldpReceiver lldp,
    List<PacketObserver> observers,
    ProcessorChain processors,
    List<RankedApplication> applications) {
  public PacketHandlers {
    observers = List.copyOf(observers);
    applications = applications.stream().sorted(RankedApplication.ORDER).toList();
  }
}
