package io.lockstep.deploy.onos;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.core.resource.Shown;
import io.lockstep.deploy.onos.OnosRoutes.Call;
import java.util.Comparator;
import java.util.List;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.topology.ClusterId;
import org.onosproject.net.topology.Topology;
import org.onosproject.net.topology.TopologyCluster;
import org.onosproject.net.topology.TopologyService;

/** {@code /topology}. Thread-safe. */
final class TopologyEndpoints {
  private final TopologyService topology;

  TopologyEndpoints(TopologyService topology) {
    this.topology = topology;
  }

  void addTo(OnosRoutes routes) {
    routes.get("/topology", call -> overview());
    routes.get("/topology/clusters", call -> clusters());
    routes.get("/topology/clusters/{id}", call -> OnosAnswer.ok(cluster(find(call, now()))));
    routes.get("/topology/clusters/{id}/devices", this::devices);
    routes.get("/topology/clusters/{id}/links", this::links);
    routes.get("/topology/broadcast/{connectPoint}", call -> broadcast(point(call)));
    routes.get("/topology/broadcast/{device}/{port}", call -> broadcast(pair(call)));
    routes.get("/topology/infrastructure/{connectPoint}", call -> infrastructure(point(call)));
    routes.get("/topology/infrastructure/{device}/{port}", call -> infrastructure(pair(call)));
  }

  private Topology now() {
    return topology.currentTopology();
  }

  private OnosAnswer overview() {
    Topology now = now();
    return OnosAnswer.ok(
        OnosAnswer.object()
            .put("time", now.time())
            .put("devices", now.deviceCount())
            .put("links", now.linkCount())
            .put("clusters", now.clusterCount()));
  }

  private OnosAnswer clusters() {
    List<TopologyCluster> sorted =
        topology.getClusters(now()).stream()
            .sorted(Comparator.comparing(cluster -> cluster.id().index()))
            .toList();
    return BoundedList.of("clusters", sorted, TopologyEndpoints::cluster);
  }

  private TopologyCluster find(Call call, Topology now) {
    Long id = JsonFields.number(call.part("id"));
    TopologyCluster cluster =
        id == null || id < 0 || id > Integer.MAX_VALUE
            ? null
            : topology.getCluster(now, ClusterId.clusterId(id.intValue()));
    if (cluster == null) {
      throw RefusedException.missing("Cluster is not found");
    }
    return cluster;
  }

  private static ObjectNode cluster(TopologyCluster cluster) {
    return OnosAnswer.object()
        .put("id", cluster.id().index())
        .put("deviceCount", cluster.deviceCount())
        .put("linkCount", cluster.linkCount())
        .put("root", cluster.root().toString());
  }

  private OnosAnswer devices(Call call) {
    Topology now = now();
    ObjectNode json = OnosAnswer.object();
    ArrayNode devices = json.putArray("devices");
    topology.getClusterDevices(now, find(call, now)).stream()
        .map(DeviceId::toString)
        .sorted()
        .forEach(devices::add);
    return OnosAnswer.ok(json);
  }

  private OnosAnswer links(Call call) {
    Topology now = now();
    return LinkEndpoints.shown(topology.getClusterLinks(now, find(call, now)));
  }

  private OnosAnswer broadcast(ConnectPoint point) {
    return OnosAnswer.ok(
        OnosAnswer.object().put("broadcast", topology.isBroadcastPoint(now(), point)));
  }

  private OnosAnswer infrastructure(ConnectPoint point) {
    return OnosAnswer.ok(
        OnosAnswer.object().put("infrastructure", topology.isInfrastructure(now(), point)));
  }

  /** A device and a port behind the last colon. */
  private static ConnectPoint point(Call call) {
    String text = call.part("connectPoint");
    int colon = text.lastIndexOf(':');
    return colon < 0 ? point(text, "") : point(text.substring(0, colon), text.substring(colon + 1));
  }

  private static ConnectPoint pair(Call call) {
    return point(call.part("device"), call.part("port"));
  }

  private static ConnectPoint point(String device, String port) {
    PortNumber number = PortTexts.parse(port);
    if (number == null) {
      throw RefusedException.wrong(
          "connectPoint: '"
              + Shown.text(device + ":" + port)
              + "' is no place: give DEVICE:PORT, such as of:0000000000000001:2");
    }
    return new ConnectPoint(FlowJson.device(device), number);
  }
}
