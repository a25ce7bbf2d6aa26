package io.lockstep.deploy.admin;

import io.lockstep.deploy.admin.NodeReport.HostReport;
import io.lockstep.deploy.admin.NodeReport.LinkReport;
import io.lockstep.deploy.admin.NodeReport.MemberReport;
import io.lockstep.deploy.admin.NodeReport.SwitchReport;
import java.util.List;

/**
 * What the process says of itself at the moment, whole or in parts, so that a request gathers only
 * what it shows. Any thread; each call waits a second at most.
 */
@FunctionalInterface
public interface ReportSource {
  /** The whole report. */
  NodeReport get();

  /** The same; its lists of switches, links and hosts may be empty. */
  default NodeReport withoutNetwork() {
    return get();
  }

  /** {@link NodeReport#nodes} alone. */
  default List<MemberReport> nodes() {
    return get().nodes();
  }

  /** {@link NodeReport#switches} alone. */
  default List<SwitchReport> switches() {
    return get().switches();
  }

  /** {@link NodeReport#links} alone. */
  default List<LinkReport> links() {
    return get().links();
  }

  /** {@link NodeReport#hosts} alone. */
  default List<HostReport> hosts() {
    return get().hosts();
  }
}
