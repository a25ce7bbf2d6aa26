package io.lockstep.deploy.onos;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.core.resource.Shown;
import io.lockstep.deploy.onos.OnosRoutes.Call;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.onosproject.cluster.ClusterService;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.NodeId;
import org.onosproject.cluster.RoleInfo;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.DeviceId;
import org.onosproject.net.MastershipRole;

/** {@code /cluster} and {@code /mastership}. Thread-safe. */
final class ClusterEndpoints {
  private final ClusterService cluster;
  private final MastershipService mastership;

  ClusterEndpoints(ClusterService cluster, MastershipService mastership) {
    this.cluster = cluster;
    this.mastership = mastership;
  }

  void addTo(OnosRoutes routes) {
    routes.get("/cluster", call -> BoundedList.of("nodes", sorted(), this::node));
    routes.get("/cluster/{id}", this::one);
    routes.get("/mastership/{deviceId}/local", this::local);
    routes.get("/mastership/{deviceId}/master", this::master);
    routes.get("/mastership/{deviceId}/role", this::role);
    routes.get("/mastership/{nodeId}/device", this::devicesOf);
    routes.add("PUT", "/mastership", call -> set(JsonFields.of(call.body())));
  }

  private List<ControllerNode> sorted() {
    return cluster.getNodes().stream()
        .sorted(Comparator.comparing(node -> node.id().id()))
        .toList();
  }

  private ObjectNode node(ControllerNode node) {
    // A node is known by an address, or by a name that is looked up where it is needed.
    String address = node.ip() == null ? node.host() : node.ip().toString();
    return OnosAnswer.object()
        .put("id", node.id().id())
        .put("ip", address)
        .put("tcpPort", node.tcpPort())
        .put("status", cluster.getState(node.id()).name())
        .put("lastUpdate", Long.toString(cluster.getLastUpdatedInstant(node.id()).toEpochMilli()))
        .put("humanReadableLastUpdate", cluster.localStatus(node.id()));
  }

  private ControllerNode find(String id) {
    return sorted().stream()
        .filter(node -> node.id().id().equals(id))
        .findFirst()
        .orElseThrow(() -> RefusedException.missing("Node is not found"));
  }

  private OnosAnswer one(Call call) {
    return OnosAnswer.ok(node(find(call.part("id"))));
  }

  private static DeviceId device(Call call) {
    return FlowJson.device(call.part("deviceId"));
  }

  private static ObjectNode role(MastershipRole role) {
    return OnosAnswer.object().put("role", role.name());
  }

  private OnosAnswer local(Call call) {
    return OnosAnswer.ok(role(mastership.getLocalRole(device(call))));
  }

  private OnosAnswer master(Call call) {
    NodeId master = mastership.getMasterFor(device(call));
    if (master == null) {
      throw RefusedException.missing("Node id is not found: no living node masters the device");
    }
    return OnosAnswer.ok(OnosAnswer.object().put("nodeId", master.id()));
  }

  private OnosAnswer role(Call call) {
    RoleInfo info = mastership.getNodesFor(device(call));
    ObjectNode json = OnosAnswer.object();
    if (info.master() != null) {
      json.put("master", info.master().id());
    }
    if (!info.backups().isEmpty()) {
      ArrayNode backups = json.putArray("backups");
      info.backups().forEach(backup -> backups.add(backup.id()));
    }
    return OnosAnswer.ok(json);
  }

  @SuppressWarnings("deprecation") // onos-api deprecates it, and has nothing else for it.
  private OnosAnswer devicesOf(Call call) {
    ObjectNode json = OnosAnswer.object();
    ArrayNode ids = json.putArray("deviceIds");
    mastership.getDevicesOf(find(call.part("nodeId")).id()).stream()
        .map(DeviceId::toString)
        .sorted()
        .forEach(ids::add);
    return OnosAnswer.ok(json);
  }

  /**
   * What onos-api's service can do: nothing, where the node has the role already, or to give a
   * device away. Switches change hands by domains, with {@code masters}.
   */
  private CompletableFuture<OnosAnswer> set(JsonFields fields) {
    DeviceId device = FlowJson.device(fields, null);
    NodeId node = find(fields.text("nodeId")).id();
    MastershipRole role = fields.parsed("role", "role: give MASTER, STANDBY or NONE", this::parse);
    fields.end();
    NodeId master = mastership.getMasterFor(device);
    boolean isMaster = node.equals(master);
    if (isMaster == (role == MastershipRole.MASTER)) {
      return CompletableFuture.completedFuture(OnosAnswer.empty(200));
    }
    if (isMaster && node.equals(cluster.getLocalNode().id())) {
      return mastership.relinquishMastership(device).thenApply(begun -> OnosAnswer.empty(200));
    }
    throw RefusedException.conflict(
        isMaster
            ? "only the master itself gives a device away: ask node " + Shown.text(node.id())
            : "devices are mastered by domains: use ./lockstep masters move DOMAIN "
                + Shown.text(node.id())
                + ", or PUT /api/v1/masters/DOMAIN");
  }

  private MastershipRole parse(String text) {
    return MastershipRole.valueOf(text.toUpperCase(Locale.ROOT));
  }
}
