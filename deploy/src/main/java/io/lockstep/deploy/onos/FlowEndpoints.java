package io.lockstep.deploy.onos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.core.resource.Shown;
import io.lockstep.deploy.onos.OnosRoutes.Call;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRuleService;

/**
 * {@code GET /flows}: the rules that applications and clients requested, with their state. Entries
 * that an application of Lockstep installs for a packet are none of them. Thread-safe.
 */
final class FlowEndpoints {
  private static final String FLOWS = "flows";
  private static final Set<FlowEntryState> PENDING =
      EnumSet.of(FlowEntryState.PENDING_ADD, FlowEntryState.PENDING_REMOVE);

  private final FlowRuleService flows;
  private final DeviceService devices;
  private final CoreService core;

  FlowEndpoints(FlowRuleService flows, DeviceService devices, CoreService core) {
    this.flows = flows;
    this.devices = devices;
    this.core = core;
  }

  void addTo(OnosRoutes routes) {
    routes.get("/flows", call -> all(entry -> true));
    routes.get("/flows/pending", call -> all(entry -> PENDING.contains(entry.state())));
    routes.get("/flows/table/{tableId}", this::table);
    routes.get(
        "/flows/application/{appId}",
        call -> shown(flows.getFlowEntriesById(application(core, call.part("appId")))));
    routes.get("/flows/{deviceId}", call -> shown(entries(device(call))));
    routes.get("/flows/{deviceId}/{flowId}", this::one);
  }

  private OnosAnswer all(Predicate<FlowEntry> wanted) {
    // One device after the other, so that a bounded answer has whole devices at its begin.
    List<FlowEntry> found = new ArrayList<>();
    for (Device device : DeviceEndpoints.sorted(devices)) {
      flows
          .getFlowEntries(device.id())
          .forEach(
              entry -> {
                if (wanted.test(entry)) {
                  found.add(entry);
                }
              });
    }
    return shown(found);
  }

  private OnosAnswer table(Call call) {
    Long table = JsonFields.number(call.part("tableId"));
    if (table == null) {
      throw RefusedException.wrong("tableId: '" + Shown.text(call.part("tableId")) + "' is none");
    }
    return all(entry -> FlowJson.table(entry.table()) == table);
  }

  private OnosAnswer one(Call call) {
    FlowEntry found = find(entries(device(call)), flowId(call.part("flowId")));
    return shown(List.of(found));
  }

  static FlowEntry find(List<FlowEntry> entries, long flowId) {
    return entries.stream()
        .filter(entry -> entry.id().value() == flowId)
        .findFirst()
        .orElseThrow(() -> RefusedException.missing("Flow is not found"));
  }

  static DeviceId device(Call call) {
    return FlowJson.device(call.part("deviceId"));
  }

  static long flowId(String text) {
    Long id = JsonFields.number(text);
    if (id == null) {
      throw RefusedException.wrong("flowId: '" + Shown.text(text) + "' is no number");
    }
    return id;
  }

  static ApplicationId application(CoreService core, String name) {
    ApplicationId id = core.getAppId(name);
    if (id == null) {
      throw RefusedException.missing("Application is not found: '" + Shown.text(name) + "'");
    }
    return id;
  }

  /** The rules of a device; it exists if it has one, also where no node ever saw it. */
  List<FlowEntry> entries(DeviceId device) {
    List<FlowEntry> entries = new ArrayList<>();
    flows.getFlowEntries(device).forEach(entries::add);
    if (entries.isEmpty() && devices.getDevice(device) == null) {
      throw RefusedException.missing("Device is not found");
    }
    return entries;
  }

  private OnosAnswer shown(Iterable<FlowEntry> entries) {
    Map<Short, String> names = new HashMap<>();
    core.getAppIds().forEach(id -> names.put(id.id(), id.name()));
    return BoundedList.of(FLOWS, entries, entry -> encode(entry, names));
  }

  private static ObjectNode encode(FlowEntry entry, Map<Short, String> names) {
    return FlowJson.write(entry, names.getOrDefault(entry.appId(), "<none>"));
  }
}
