package io.lockstep.core.packet;

import io.lockstep.core.app.RankedApplication;
import io.lockstep.core.link.LldpReceiver;
import io.lockstep.store.TableSpec;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What the dispatcher leads packets to: the receiver of probes and observers first, then processors
 * and applications in one order ({@link RankedApplication#ORDER}).
 *
 * @param tables of the applications
 * @param active whether an application of this name is to decide now; asked for each packet
 */
public record PacketHandlers(
    LldpReceiver lldp,
    List<PacketObserver> observers,
    ProcessorChain processors,
    List<RankedApplication> applications,
    Map<String, TableSpec> tables,
    Predicate<String> active) {
  /** Where all applications are active. */
  public PacketHandlers(
      LldpReceiver lldp,
      List<PacketObserver> observers,
      ProcessorChain processors,
      List<RankedApplication> applications,
      Map<String, TableSpec> tables) {
    this(lldp, observers, processors, applications, tables, name -> true);
  }

  public PacketHandlers {
    observers = List.copyOf(observers);
    tables = Map.copyOf(tables);
    applications = applications.stream().sorted(RankedApplication.ORDER).toList();
  }
}
