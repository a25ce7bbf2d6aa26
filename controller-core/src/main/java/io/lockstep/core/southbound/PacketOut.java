package io.lockstep.core.southbound;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.TrafficTreatment;

/**
 * A packet to send from a switch (OpenFlow 1.3.5 section 7.3.7).
 *
 * @param bufferId the switch's buffer that holds the frame, or {@link PacketIn#NO_BUFFER}
 * @param inPort the port it came in on, or {@link PortNumber#CONTROLLER}
 * @param outPorts where it leaves unchanged; an empty list drops a buffered packet
 * @param treatment what is done to it instead: immediate changes and outputs, in this order; null
 *     where it leaves unchanged
 * @param data the frame; empty where it is buffered
 */
public record PacketOut(
    long bufferId,
    PortNumber inPort,
    List<PortNumber> outPorts,
    @Nullable TrafficTreatment treatment,
    byte[] data) {
  public PacketOut {
    outPorts = List.copyOf(outPorts);
  }

  /** A packet that leaves unchanged. */
  public PacketOut(long bufferId, PortNumber inPort, List<PortNumber> outPorts, byte[] data) {
    this(bufferId, inPort, outPorts, null, data);
  }

  /** A packet that a treatment changes and sends. */
  public PacketOut(long bufferId, PortNumber inPort, TrafficTreatment treatment, byte[] data) {
    this(bufferId, inPort, List.of(), treatment, data);
  }
}
