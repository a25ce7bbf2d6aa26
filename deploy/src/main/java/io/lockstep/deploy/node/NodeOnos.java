package io.lockstep.deploy.node;

import io.lockstep.core.flow.IntendedRules;
import io.lockstep.core.node.ServiceRegistry;
import io.lockstep.deploy.admin.ApplicationDoor.ApplicationReport;
import io.lockstep.deploy.onos.ApplicationActivation;
import io.lockstep.deploy.onos.OnosApplication;
import io.lockstep.deploy.onos.OnosRouter;
import io.lockstep.deploy.onos.OnosServices;
import io.lockstep.deploy.process.ProductVersion;
import java.util.List;
import org.onosproject.net.flow.FlowRuleService;

/** ONOS's REST API over a node's services. */
public final class NodeOnos {
  private NodeOnos() {}

  /** A router over the services of a node that runs, and its applications by name. */
  public static OnosRouter router(
      ServiceRegistry node,
      List<ApplicationReport> applications,
      ApplicationActivation activation) {
    // The node's own class says what became of a write, which onos-api's interface does not.
    IntendedRules rules = (IntendedRules) node.get(FlowRuleService.class);
    return new OnosRouter(
        OnosServices.of(
            node,
            rules::write,
            applications.stream().map(NodeOnos::application).toList(),
            activation));
  }

  private static OnosApplication application(ApplicationReport one) {
    return one.from().isEmpty()
        ? new OnosApplication(one.name(), "Lockstep", ProductVersion.text())
        : new OnosApplication(one.name(), one.from(), "");
  }
}
