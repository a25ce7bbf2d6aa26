package io.lockstep.core.packet;

import io.lockstep.core.southbound.PacketIn;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.packet.PacketInFilter;
import org.onosproject.net.packet.PacketPriority;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketProcessorEntry;
import org.onosproject.net.packet.PacketRequest;
import org.onosproject.net.packet.PacketService;

/**
 * onos-api's packet service: processors go to the {@link ProcessorChain}, requests to {@link
 * PacketRequests}, packets to the {@link PacketSender}. Any thread.
 */
public final class NetworkPackets implements PacketService {
  private final ProcessorChain processors;
  private final PacketRequests requests;
  private final PacketSender sender;

  /** The service over these parts. */
  public NetworkPackets(ProcessorChain processors, PacketRequests requests, PacketSender sender) {
    this.processors = processors;
    this.requests = requests;
    this.sender = sender;
  }

  @Override
  public void addProcessor(PacketProcessor processor, int priority) {
    processors.add(processor, priority);
  }

  @Override
  public void removeProcessor(PacketProcessor processor) {
    processors.remove(processor);
  }

  @Override
  public List<PacketProcessorEntry> getProcessors() {
    return processors.entries();
  }

  /** Refused: filters are not offered, and onos-api's default would ignore it. */
  @Override
  public void addFilter(PacketInFilter filter) {
    throw filters();
  }

  /** Refused as {@link #addFilter}. */
  @Override
  public void removeFilter(PacketInFilter filter) {
    throw filters();
  }

  /** Refused as {@link #addFilter}. */
  @Override
  public void clearFilters() {
    throw filters();
  }

  private static UnsupportedOperationException filters() {
    return new UnsupportedOperationException(
        "filters for packet-ins are not offered; add a packet processor with a low number instead");
  }

  @Override
  public void requestPackets(
      TrafficSelector selector, PacketPriority priority, ApplicationId appId) {
    requests.request(selector, priority, appId, Optional.empty());
  }

  @Override
  public void requestPackets(
      TrafficSelector selector,
      PacketPriority priority,
      ApplicationId appId,
      Optional<DeviceId> deviceId) {
    requests.request(selector, priority, appId, deviceId);
  }

  @Override
  public void cancelPackets(
      TrafficSelector selector, PacketPriority priority, ApplicationId appId) {
    requests.cancel(selector, priority, appId, Optional.empty());
  }

  @Override
  public void cancelPackets(
      TrafficSelector selector,
      PacketPriority priority,
      ApplicationId appId,
      Optional<DeviceId> deviceId) {
    requests.cancel(selector, priority, appId, deviceId);
  }

  @Override
  public List<PacketRequest> getRequests() {
    return requests.all();
  }

  @Override
  public void emit(OutboundPacket packet) {
    ByteBuffer data = packet.data().duplicate();
    byte[] frame = new byte[data.remaining()];
    data.get(frame);
    PortNumber inPort = packet.inPort();
    sender.send(
        packet.sendThrough(),
        PacketIn.NO_BUFFER,
        inPort == null ? PortNumber.CONTROLLER : inPort,
        packet.treatment(),
        frame);
  }
}
