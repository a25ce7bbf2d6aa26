package io.lockstep.deploy.node;

import io.lockstep.core.node.ServiceRegistry;
import io.lockstep.deploy.admin.event.EventLog;
import java.util.HexFormat;
import java.util.Locale;
import org.onosproject.event.AbstractEvent;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.onosproject.net.Port;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkService;

/** Leads the events of a node's services into a log, for the admin HTTP. */
final class NodeEvents {
  private NodeEvents() {}

  /** A log that gets the events of all services from now on. */
  static EventLog of(String node, ServiceRegistry services) {
    EventLog log = new EventLog(node, System.currentTimeMillis(), System::currentTimeMillis);
    services
        .get(DeviceService.class)
        .addListener(
            event -> log.add("device", type(event), Dpids.text(event.subject().id()), port(event)));
    services
        .get(LinkService.class)
        .addListener(event -> log.add("link", type(event), words(event.subject()), ""));
    services
        .get(HostService.class)
        .addListener(
            event ->
                log.add(
                    "host",
                    type(event),
                    event.subject().mac().toString().toLowerCase(Locale.ROOT),
                    "at "
                        + words(event.subject().location())
                        + ", "
                        + event.subject().ipAddresses()));
    services
        .get(MastershipService.class)
        .addListener(
            event ->
                log.add(
                    "mastership",
                    type(event),
                    Dpids.text(event.subject()),
                    "master "
                        + event.mastershipInfo().master().map(Object::toString).orElse("none")));
    services
        .get(FlowRuleService.class)
        .addListener(
            event ->
                log.add(
                    "flow",
                    type(event),
                    "0x" + HexFormat.of().toHexDigits(event.subject().id().value()),
                    "switch " + Dpids.text(event.subject().deviceId())));
    return log;
  }

  private static String type(AbstractEvent<?, ?> event) {
    return event.type().toString().toLowerCase(Locale.ROOT);
  }

  private static String port(DeviceEvent event) {
    Port port = event.port();
    return port == null
        ? ""
        : "port " + port.number().toLong() + (port.isEnabled() ? " up" : " down");
  }

  private static String words(ConnectPoint point) {
    return Dpids.text(point.deviceId()) + "/" + point.port().toLong();
  }

  private static String words(Link link) {
    return words(link.src()) + " to " + words(link.dst());
  }
}
