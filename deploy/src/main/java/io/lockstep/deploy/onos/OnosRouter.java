package io.lockstep.deploy.onos;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Answers ONOS's REST API: version 1, with the JSON and the status codes of ONOS 2.7. Thread-safe.
 *
 * <p>It blocks for a new name of an application only ({@link FlowChanges}).
 */
public final class OnosRouter {
  /** All paths begin so. */
  public static final String ROOT = "/onos/v1";

  private final OnosRoutes routes = new OnosRoutes();

  /** A router over the services of a node that runs. */
  public OnosRouter(OnosServices services) {
    this(services, FlowChanges.USUAL_PATIENCE);
  }

  /**
   * The same for a store that may take longer.
   *
   * @param patience how long a change of flows waits for it
   */
  OnosRouter(OnosServices services, Duration patience) {
    new DeviceEndpoints(services.devices()).addTo(routes);
    new LinkEndpoints(services.links()).addTo(routes);
    new HostEndpoints(services.hosts()).addTo(routes);
    FlowEndpoints flows = new FlowEndpoints(services.flows(), services.devices(), services.core());
    flows.addTo(routes);
    new FlowChanges(flows, services, patience).addTo(routes);
    new TopologyEndpoints(services.topology()).addTo(routes);
    new ClusterEndpoints(services.cluster(), services.mastership()).addTo(routes);
    new ApplicationEndpoints(services.applications(), services.core(), services.activation())
        .addTo(routes);
    new StatisticsEndpoints(services.devices(), services.flows()).addTo(routes);
  }

  /** Whether a path is one of ONOS's. */
  public static boolean has(String path) {
    return path.startsWith(ROOT + "/");
  }

  /** Each method and path that is offered. */
  List<String> shown() {
    return routes.shown();
  }

  /**
   * Answers, perhaps later, and within some seconds.
   *
   * @return fails where the node fails; what is wrong with a request is an answer
   */
  public CompletableFuture<OnosAnswer> answer(OnosRequest request) {
    try {
      return routes.answer(request, request.path().substring(ROOT.length()));
    } catch (RefusedException refused) {
      return CompletableFuture.completedFuture(refused.answer());
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }
}
