package io.lockstep.deploy.onos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.core.resource.Shown;
import io.lockstep.deploy.onos.OnosRoutes.Call;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.PortNumber;
import org.onosproject.net.link.LinkService;

/** {@code /links}. Thread-safe. */
final class LinkEndpoints {
  private final LinkService links;

  private enum Direction {
    ALL,
    INGRESS,
    EGRESS
  }

  LinkEndpoints(LinkService links) {
    this.links = links;
  }

  void addTo(OnosRoutes routes) {
    routes.get("/links", call -> shown(asked(call)));
  }

  /** Links by their ends. */
  static OnosAnswer shown(Iterable<Link> links) {
    List<Link> sorted =
        StreamSupport.stream(links.spliterator(), false)
            .sorted(Comparator.comparing(link -> link.src() + " " + link.dst()))
            .toList();
    return BoundedList.of("links", sorted, LinkEndpoints::link);
  }

  private Iterable<Link> asked(Call call) {
    String device = call.query().get("device");
    Direction direction = direction(call.query().get("direction"));
    String port = call.query().get("port");
    if (device == null) {
      if (port != null) {
        throw RefusedException.wrong("port: names a port of no device; give device, too");
      }
      return links.getLinks();
    }
    DeviceId id = FlowJson.device(device);
    if (port == null) {
      return switch (direction) {
        case ALL -> links.getDeviceLinks(id);
        case INGRESS -> links.getDeviceIngressLinks(id);
        case EGRESS -> links.getDeviceEgressLinks(id);
      };
    }
    PortNumber number = PortTexts.parse(port);
    if (number == null) {
      throw RefusedException.wrong("port: '" + Shown.text(port) + "' is no port");
    }
    ConnectPoint point = new ConnectPoint(id, number);
    return switch (direction) {
      case ALL -> links.getLinks(point);
      case INGRESS -> links.getIngressLinks(point);
      case EGRESS -> links.getEgressLinks(point);
    };
  }

  private static Direction direction(@Nullable String text) {
    if (text == null) {
      return Direction.ALL;
    }
    for (Direction direction : Direction.values()) {
      if (direction.name().equals(text.toUpperCase(Locale.ROOT))) {
        return direction;
      }
    }
    throw RefusedException.wrong(
        "direction: '" + Shown.text(text) + "' is none of ALL, INGRESS, EGRESS");
  }

  private static ObjectNode link(Link link) {
    ObjectNode json = OnosAnswer.object();
    json.set("src", point(link.src()));
    json.set("dst", point(link.dst()));
    json.put("type", link.type().name());
    if (link.state() != null) {
      json.put("state", link.state().name());
    }
    return DeviceEndpoints.annotated(json, link);
  }

  private static ObjectNode point(ConnectPoint point) {
    return OnosAnswer.object()
        .put("port", point.port().toStringWithoutName())
        .put("device", point.deviceId().toString());
  }
}
