package io.lockstep.core.packet;

import io.lockstep.core.app.NetworkView;
import io.lockstep.core.mastership.MasteredSwitches;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.store.logging.LogLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends packets with onos-api's treatments. It sends only through switches that this node masters,
 * and a treatment may only send out of ports or change the packet before. It counts and drops all
 * others. Any thread.
 */
public final class PacketSender {
  private static final Logger log = LoggerFactory.getLogger(PacketSender.class);

  private final MasteredSwitches mastery;
  private final Supplier<? extends NetworkView> network;
  private final LogLimit logLimit;
  private final LongAdder refused = new LongAdder();

  /**
   * A sender.
   *
   * @param network where {@link PortNumber#FLOOD} and {@link PortNumber#ALL} lead
   * @param nanoTime a monotone clock
   */
  public PacketSender(
      MasteredSwitches mastery, Supplier<? extends NetworkView> network, LongSupplier nanoTime) {
    this.mastery = mastery;
    this.network = network;
    this.logLimit = new LogLimit(nanoTime);
  }

  /** How many packets could not be sent: not mastered here, queue full, or unsayable. */
  public long refused() {
    return refused.sum();
  }

  /**
   * Sends a packet through a switch; counts and logs one that cannot be sent.
   *
   * @param bufferId {@link PacketIn#NO_BUFFER} where the switch holds no buffer of it
   * @param frame empty where the switch holds a buffer of it
   */
  void send(
      DeviceId device, long bufferId, PortNumber inPort, TrafficTreatment treatment, byte[] frame) {
    SwitchConnection connection = mastery.mastered(device);
    if (connection == null
        || !connection.packetOut(packetOut(device, bufferId, inPort, treatment, frame))) {
      refused.increment();
      String more = logLimit.admit(device.toString());
      if (more != null) {
        log.warn("a packet for {} with {} was not sent{}", device, treatment, more);
      }
    }
  }

  private PacketOut packetOut(
      DeviceId device, long bufferId, PortNumber inPort, TrafficTreatment treatment, byte[] frame) {
    List<PortNumber> ports = outputs(device, inPort, treatment);
    return ports == null
        ? new PacketOut(
            bufferId,
            inPort,
            PacketTreatments.alongTree(network.get(), device, inPort, treatment),
            frame)
        : new PacketOut(bufferId, inPort, ports, frame);
  }

  /** The ports to send to; null where the treatment asks for anything else. */
  private @Nullable List<PortNumber> outputs(
      DeviceId device, PortNumber inPort, TrafficTreatment treatment) {
    List<PortNumber> ports = new ArrayList<>();
    for (Instruction instruction : treatment.allInstructions()) {
      if (!(instruction instanceof OutputInstruction output)) {
        if (instruction.type() == Instruction.Type.NOACTION) {
          continue;
        }
        return null;
      }
      if (PacketTreatments.isFlood(output.port())) {
        ports.addAll(network.get().floodPorts(device, inPort));
      } else {
        ports.add(output.port());
      }
    }
    return ports;
  }
}
