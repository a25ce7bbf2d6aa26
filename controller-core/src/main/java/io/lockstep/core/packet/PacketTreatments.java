package io.lockstep.core.packet;

import io.lockstep.core.app.NetworkView;
import java.util.List;
import java.util.function.Function;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;

/**
 * Treatments of single packets, with the ports that a switch may send them to. A switch would flood
 * by all its ports, redundant links included, so a flood becomes the ports of the broadcast tree. A
 * treatment with more than immediate actions stays as it is: no packet-out can say it, and the
 * connection refuses it.
 */
final class PacketTreatments {
  private PacketTreatments() {}

  static boolean isFlood(PortNumber port) {
    return port.equals(PortNumber.FLOOD) || port.equals(PortNumber.ALL);
  }

  /** The treatment with the ports of the broadcast tree in the place of a flood. */
  static TrafficTreatment alongTree(
      NetworkView network, DeviceId device, PortNumber inPort, TrafficTreatment treatment) {
    return mapped(
        treatment, port -> isFlood(port) ? network.floodPorts(device, inPort) : List.of(port));
  }

  /**
   * The same for the packet that came in by {@code inPort}: a switch sends it back only where the
   * port is named {@code IN_PORT} (OpenFlow 1.3.5 section 7.2.5).
   */
  static TrafficTreatment ofPacket(
      NetworkView network, DeviceId device, PortNumber inPort, TrafficTreatment treatment) {
    return mapped(
        alongTree(network, device, inPort, treatment),
        port -> List.of(port.equals(inPort) ? PortNumber.IN_PORT : port));
  }

  private static TrafficTreatment mapped(
      TrafficTreatment treatment, Function<PortNumber, List<PortNumber>> ports) {
    if (treatment.immediate().size() < treatment.allInstructions().size()
        || stays(treatment, ports)) {
      return treatment;
    }
    TrafficTreatment.Builder mapped = DefaultTrafficTreatment.builder();
    for (Instruction instruction : treatment.immediate()) {
      if (instruction instanceof OutputInstruction output) {
        ports.apply(output.port()).forEach(mapped::setOutput);
      } else {
        mapped.add(instruction);
      }
    }
    return mapped.build();
  }

  /** Whether each output keeps its one port, as those of most packets do. */
  private static boolean stays(
      TrafficTreatment treatment, Function<PortNumber, List<PortNumber>> ports) {
    for (Instruction instruction : treatment.immediate()) {
      if (instruction instanceof OutputInstruction output
          && !ports.apply(output.port()).equals(List.of(output.port()))) {
        return false;
      }
    }
    return true;
  }
}
