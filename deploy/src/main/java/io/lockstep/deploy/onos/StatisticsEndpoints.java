package io.lockstep.deploy.onos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.core.resource.Shown;
import io.lockstep.deploy.onos.OnosRoutes.Call;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import org.onosproject.net.Device;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.device.PortStatistics;
import org.onosproject.net.flow.FlowRuleService;

/** {@code /statistics}: counters of the devices that this node masters. Thread-safe. */
final class StatisticsEndpoints {
  private static final String STATISTICS = "statistics";
  private static final String PORTS = "ports";
  private static final String TABLE = "table";

  private final DeviceService devices;
  private final FlowRuleService flows;

  StatisticsEndpoints(DeviceService devices, FlowRuleService flows) {
    this.devices = devices;
    this.flows = flows;
  }

  void addTo(OnosRoutes routes) {
    ports(routes, "/statistics/ports", device -> devices.getPortStatistics(device.id()));
    ports(routes, "/statistics/delta/ports", device -> devices.getPortDeltaStatistics(device.id()));
    routes.get(
        "/statistics/flows/tables",
        call -> BoundedList.of(STATISTICS, DeviceEndpoints.sorted(devices), this::tables));
    routes.get("/statistics/flows/tables/{id}", call -> one(tables(find(call))));
  }

  private void ports(
      OnosRoutes routes, String path, Function<Device, List<PortStatistics>> counters) {
    routes.get(
        path,
        call ->
            BoundedList.of(
                STATISTICS,
                DeviceEndpoints.sorted(devices),
                device -> ports(device, counters.apply(device))));
    routes.get(
        path + "/{id}",
        call -> {
          Device device = find(call);
          return one(ports(device, counters.apply(device)));
        });
    routes.get(
        path + "/{id}/{port}",
        call -> {
          Device device = find(call);
          PortNumber port = port(call);
          return one(
              ports(
                  device,
                  counters.apply(device).stream()
                      .filter(counted -> counted.portNumber().equals(port))
                      .toList()));
        });
  }

  private Device find(Call call) {
    return DeviceEndpoints.find(devices, call);
  }

  private static PortNumber port(Call call) {
    PortNumber port = PortTexts.parse(call.part("port"));
    if (port == null) {
      throw RefusedException.wrong("port: '" + Shown.text(call.part("port")) + "' is no port");
    }
    return port;
  }

  private static OnosAnswer one(JsonNode device) {
    ObjectNode json = OnosAnswer.object();
    json.putArray(STATISTICS).add(device);
    return OnosAnswer.ok(json);
  }

  private static ObjectNode ports(Device device, List<PortStatistics> counters) {
    ObjectNode json = OnosAnswer.object().put("device", device.id().toString());
    ArrayNode ports = json.putArray(PORTS);
    counters.stream()
        .sorted(Comparator.comparing(counted -> counted.portNumber().toLong()))
        .forEach(counted -> ports.add(port(counted)));
    return json;
  }

  private static ObjectNode port(PortStatistics counted) {
    return OnosAnswer.object()
        .put("port", counted.portNumber().toLong())
        .put("packetsReceived", counted.packetsReceived())
        .put("packetsSent", counted.packetsSent())
        .put("bytesReceived", counted.bytesReceived())
        .put("bytesSent", counted.bytesSent())
        .put("packetsRxDropped", counted.packetsRxDropped())
        .put("packetsTxDropped", counted.packetsTxDropped())
        .put("packetsRxErrors", counted.packetsRxErrors())
        .put("packetsTxErrors", counted.packetsTxErrors())
        .put("durationSec", counted.durationSec());
  }

  private ObjectNode tables(Device device) {
    ObjectNode json = OnosAnswer.object().put("device", device.id().toString());
    ArrayNode tables = json.putArray(TABLE);
    StreamSupport.stream(flows.getFlowTableStatistics(device.id()).spliterator(), false)
        .sorted(Comparator.comparing(counted -> FlowJson.table(counted.table())))
        .forEach(
            counted ->
                tables
                    .addObject()
                    .put("tableId", counted.table().toString())
                    .put("deviceId", counted.deviceId().toString())
                    .put("activeEntries", counted.activeFlowEntries())
                    .put("packetsLookedUp", counted.packetsLookedup())
                    .put("packetsMatched", counted.packetsMatched()));
    return json;
  }
}
