package io.lockstep.deploy.onos;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.deploy.onos.OnosRoutes.Call;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;
import org.onosproject.net.Annotated;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Port;
import org.onosproject.net.device.DeviceService;

/** {@code /devices}: devices and their ports. Thread-safe. */
final class DeviceEndpoints {
  private final DeviceService devices;

  DeviceEndpoints(DeviceService devices) {
    this.devices = devices;
  }

  void addTo(OnosRoutes routes) {
    routes.get("/devices", call -> BoundedList.of("devices", sorted(devices), this::device));
    routes.get("/devices/ports", call -> BoundedList.of("ports", allPorts(), this::port));
    routes.get("/devices/{id}", call -> OnosAnswer.ok(device(find(devices, call))));
    routes.get("/devices/{id}/ports", this::ports);
  }

  /** All devices by id. */
  static List<Device> sorted(DeviceService devices) {
    return StreamSupport.stream(devices.getDevices().spliterator(), false)
        .sorted(Comparator.comparing(device -> device.id().toString()))
        .toList();
  }

  /** The device {@code id} of a path. */
  static Device find(DeviceService devices, Call call) {
    Device device = devices.getDevice(FlowJson.device(call.part("id")));
    if (device == null) {
      throw RefusedException.missing("Device is not found");
    }
    return device;
  }

  private List<Port> allPorts() {
    List<Port> ports = new ArrayList<>();
    for (Device device : sorted(devices)) {
      ports.addAll(devices.getPorts(device.id()));
    }
    return ports;
  }

  private OnosAnswer ports(Call call) {
    Device device = find(devices, call);
    ObjectNode json = device(device);
    ArrayNode ports = json.putArray("ports");
    devices.getPorts(device.id()).forEach(port -> ports.add(port(port)));
    return OnosAnswer.ok(json);
  }

  private ObjectNode device(Device device) {
    DeviceId id = device.id();
    ObjectNode json =
        OnosAnswer.object()
            .put("id", id.toString())
            .put("type", device.type().name())
            .put("available", devices.isAvailable(id))
            .put("role", devices.getRole(id).name())
            .put("mfr", device.manufacturer())
            .put("hw", device.hwVersion())
            .put("sw", device.swVersion())
            .put("serial", device.serialNumber())
            .put("chassisId", device.chassisId().toString())
            .put("lastUpdate", Long.toString(devices.getLastUpdatedInstant(id)))
            .put("humanReadableLastUpdate", devices.localStatus(id));
    return annotated(json, device);
  }

  private ObjectNode port(Port port) {
    ObjectNode json =
        OnosAnswer.object()
            .put("element", port.element().id().toString())
            .put("port", PortTexts.shown(port.number()))
            .put("isEnabled", port.isEnabled())
            .put("type", port.type().name().toLowerCase(Locale.ROOT))
            .put("portSpeed", port.portSpeed());
    return annotated(json, port);
  }

  /** Adds annotations, where there are some. */
  static ObjectNode annotated(ObjectNode json, Annotated annotated) {
    if (!annotated.annotations().keys().isEmpty()) {
      ObjectNode annotations = json.putObject("annotations");
      annotated
          .annotations()
          .keys()
          .forEach(key -> annotations.put(key, annotated.annotations().value(key)));
    }
    return json;
  }
}
