package io.lockstep.core.southbound;

import java.util.List;
import org.onosproject.net.PortNumber;

/**
 * A packet to send from a switch (OpenFlow 1.3.5 section 7.3.7).
 *
 * @param bufferId the switch's buffer that holds the frame, or {@link PacketIn#NO_BUFFER}
 * @param inPort the port it came in on, or {@link PortNumber#CONTROLLER}
 * @param outPorts where it leaves; an empty list drops a buffered packet
 * @param data the frame; empty where it is buffered
 */
public record PacketOut(long bufferId, PortNumber inPort, List<PortNumber> outPorts, byte[] data) {
  public PacketOut {
    outPorts = List.copyOf(outPorts);
  }
}
