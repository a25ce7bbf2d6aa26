package io.lockstep.core.packet;

import io.lockstep.core.mastership.MasteredSwitches;
import io.lockstep.core.southbound.SwitchConnection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.packet.DefaultPacketRequest;
import org.onosproject.net.packet.PacketPriority;
import org.onosproject.net.packet.PacketRequest;

/**
 * The packets that applications ask for, as intended rules at every switch this node masters. Each
 * node asks for what its own applications want; the same rule asked for twice is one rule.
 * Thread-safe.
 */
public final class PacketRequests implements MasteredSwitches.Listener {

  private final NodeId node;
  private final FlowRuleService rules;
  private final Set<PacketRequest> requests = new CopyOnWriteArraySet<>();
  private final Set<DeviceId> mastered = ConcurrentHashMap.newKeySet();

  /** No requests; the caller adds this as a listener of mastery. */
  public PacketRequests(NodeId node, FlowRuleService rules) {
    this.node = node;
    this.rules = rules;
  }

  void request(
      TrafficSelector selector,
      PacketPriority priority,
      ApplicationId appId,
      Optional<DeviceId> device) {
    PacketRequest request = new DefaultPacketRequest(selector, priority, appId, node, device);
    if (requests.add(request)) {
      for (DeviceId id : mastered) {
        if (concerns(request, id)) {
          rules.applyFlowRules(rule(request, id));
        }
      }
    }
  }

  void cancel(
      TrafficSelector selector,
      PacketPriority priority,
      ApplicationId appId,
      Optional<DeviceId> device) {
    PacketRequest request = new DefaultPacketRequest(selector, priority, appId, node, device);
    if (requests.remove(request)) {
      for (DeviceId id : mastered) {
        if (concerns(request, id)) {
          rules.removeFlowRules(rule(request, id));
        }
      }
    }
  }

  List<PacketRequest> all() {
    return List.copyOf(requests);
  }

  private static boolean concerns(PacketRequest request, DeviceId device) {
    return request.deviceId().isEmpty() || request.deviceId().get().equals(device);
  }

  private static FlowRule rule(PacketRequest request, DeviceId device) {
    return DefaultFlowRule.builder()
        .forDevice(device)
        .withSelector(request.selector())
        .withTreatment(DefaultTrafficTreatment.builder().punt().build())
        .withPriority(request.priority().priorityValue())
        .fromApp(request.appId())
        .makePermanent()
        .build();
  }

  @Override
  public void gained(SwitchConnection connection, long epoch) {
    mastered.add(connection.deviceId());
    for (PacketRequest request : requests) {
      if (concerns(request, connection.deviceId())) {
        rules.applyFlowRules(rule(request, connection.deviceId()));
      }
    }
  }

  @Override
  public void lost(SwitchConnection connection, String reason) {
    mastered.remove(connection.deviceId());
  }
}
