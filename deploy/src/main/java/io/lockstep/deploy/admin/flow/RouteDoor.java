package io.lockstep.deploy.admin.flow;

import java.util.List;
import java.util.Optional;

/** Finds ways through the network. Thread-safe; does not wait. */
public interface RouteDoor {
  /** Routes of one answer at most. */
  int MAX_ROUTES = 16;

  /**
   * An end of a route.
   *
   * @param dpid 16 hexadecimal digits
   * @param port where the end is; 0 for the switch itself
   * @param mac of the host there; empty for none
   */
  record End(String dpid, long port, String mac) {}

  /**
   * A route.
   *
   * @param hops {@code SWITCH/PORT} from the first switch to the last: the port by which packets
   *     leave it. The last switch has none where the route ends at a switch itself
   * @param links between the switches
   */
  record RouteReport(List<String> hops, int links) {}

  /** What was found: the two ends, and the shortest routes first. */
  record Routes(End from, End to, List<RouteReport> items) {}

  /**
   * An end by what an operator writes: an address of a host, a switch, or {@code SWITCH/PORT}.
   * Empty where there is none.
   */
  Optional<End> find(String text);

  /** The shortest routes, at most {@code limit}; none where there is no way. */
  Routes routes(End from, End to, int limit);
}
