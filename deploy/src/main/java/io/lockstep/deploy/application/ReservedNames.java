package io.lockstep.deploy.application;

import java.util.Set;

/** Names that the resources of applications from outside may not have. */
final class ReservedNames {
  /** What the admin HTTP and the command line have already. */
  static final Set<String> RESOURCES =
      Set.of(
          "app",
          "applications",
          "apps",
          "audit",
          "bench",
          "build",
          "check",
          "completion",
          "config",
          "demo",
          "doctor",
          "domain",
          "domain-map",
          "domains",
          "drain",
          "drains",
          "emulate",
          "events",
          "explain",
          "flow",
          "flows",
          "help",
          "hosts",
          "links",
          "log",
          "manual",
          "masters",
          "mastership",
          "node",
          "nodes",
          "package",
          "path",
          "paths",
          "pki",
          "probe",
          "rebalance",
          "record",
          "recording",
          "replacement",
          "replacements",
          "replica",
          "resource",
          "resources",
          "routes",
          "status",
          "store",
          "switch",
          "switches",
          "tables",
          "test",
          "top",
          "undrain",
          "upgrade",
          "user",
          "users",
          "version");

  private ReservedNames() {}
}
