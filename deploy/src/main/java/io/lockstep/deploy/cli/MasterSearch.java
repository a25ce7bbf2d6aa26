package io.lockstep.deploy.cli;

import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.process.OperatorException;
import io.lockstep.deploy.status.AdminAddress;
import io.lockstep.deploy.status.ClusterStatus;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Finds the node that masters a switch, by asking all nodes. Used by one thread, which waits. */
final class MasterSearch {
  private static final long POLL_MILLIS = 500;

  /** A new master is found within a lease and some; a busy machine takes longer. */
  private static final long PATIENCE_SECONDS = 60;

  private final List<AdminAddress> endpoints;
  private final int timeoutMillis;

  /**
   * Among these nodes.
   *
   * @param endpoints admin addresses
   * @param timeoutMillis for each answer; a node that is slower is asked again
   */
  MasterSearch(List<AdminAddress> endpoints, int timeoutMillis) {
    this.endpoints = List.copyOf(endpoints);
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * The master's endpoint. Waits where one may yet be found: a node knows the switch, or one is too
   * busy to answer.
   *
   * @param id of the switch, 16 hexadecimal digits
   * @param known whether there was a master a moment ago, so that it is waited for in any case
   * @throws OperatorException where there is none
   */
  AdminAddress find(String id, boolean known) throws OperatorException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      ClusterStatus status = ClusterStatus.askAt(endpoints, timeoutMillis);
      boolean hopeful =
          known || status.unreachable().stream().anyMatch(ClusterStatus.Unreachable::timedOut);
      for (ClusterStatus.Answer answer : status.answers()) {
        for (NodeReport.SwitchReport one : answer.report().switches()) {
          if (one.dpid().equals(id) && one.role().equals("master")) {
            return at(answer.endpoint());
          }
          hopeful |= one.dpid().equals(id);
        }
      }
      if (!hopeful || System.nanoTime() - until >= 0) {
        throw new OperatorException(
            "no node at " + AdminAddress.texts(endpoints) + " masters switch " + id,
            "see ./lockstep status; name the nodes' admin addresses with -e");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
    }
  }

  private AdminAddress at(String text) {
    return endpoints.stream().filter(one -> one.text().equals(text)).findFirst().orElseThrow();
  }
}
