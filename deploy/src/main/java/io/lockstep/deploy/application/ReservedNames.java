package io.lockstep.deploy.application;

import java.util.Set;

/** Names that the resources of applications from outside may not have. */
final class ReservedNames {
  /** What the admin HTTP and the command line have already. */
  static final Set<String> RESOURCES =
      Set.of(
          "app",
          "applications",
          "bench",
          "build",
          "check",
          "demo",
          "domain",
          "domain-map",
          "domains",
          "drain",
          "drains",
          "emulate",
          "explain",
          "flows",
          "help",
          "hosts",
          "links",
          "masters",
          "mastership",
          "node",
          "nodes",
          "package",
          "pki",
          "probe",
          "rebalance",
          "replica",
          "resource",
          "resources",
          "status",
          "store",
          "switch",
          "switches",
          "tables",
          "test",
          "undrain",
          "version");

  private ReservedNames() {}
}
