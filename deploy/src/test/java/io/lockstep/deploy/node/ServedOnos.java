package io.lockstep.deploy.node;

import io.lockstep.core.node.ServiceRegistry;
import io.lockstep.deploy.admin.AdminServer;
import io.lockstep.deploy.admin.ApplicationDoor.ApplicationReport;
import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.config.NodeSettings.Listener;
import io.lockstep.deploy.onos.ApplicationActivation;
import io.lockstep.deploy.testbed.OneNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.onosproject.cluster.ClusterService;
import org.onosproject.core.CoreService;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.topology.TopologyService;

/** ONOS's REST API over a node of a test. */
public final class ServedOnos {
  private ServedOnos() {}

  /** An admin HTTP that serves that and nothing else. */
  public static AdminServer over(OneNode node, Listener listener) throws IOException {
    ServiceRegistry services = new ServiceRegistry();
    offer(services, node, DeviceService.class);
    offer(services, node, LinkService.class);
    offer(services, node, HostService.class);
    offer(services, node, FlowRuleService.class);
    offer(services, node, TopologyService.class);
    offer(services, node, ClusterService.class);
    offer(services, node, MastershipService.class);
    offer(services, node, CoreService.class);
    AdminServer admin = AdminServer.open(listener, ServedOnos::noReport);
    admin.offer(
        NodeOnos.router(
            services,
            List.of(new ApplicationReport("learning-switch", 1, "", "active", List.of())),
            new AllActive()));
    return admin;
  }

  private static <T> void offer(ServiceRegistry services, OneNode node, Class<T> type) {
    services.offer(type, node.service(type));
  }

  /** Nobody changes it here. */
  private static final class AllActive implements ApplicationActivation {
    @Override
    public boolean isActive(String application) {
      return true;
    }

    @Override
    public CompletableFuture<Optional<String>> set(String application, boolean active) {
      throw new AssertionError("nobody asks for it");
    }
  }

  private static NodeReport noReport() {
    throw new AssertionError("nobody asks for it");
  }
}
