package io.lockstep.deploy.admin;

import org.jspecify.annotations.Nullable;

/** The paths of the admin HTTP's views of flow tables and metrics. Pure. */
final class RuleViews {
  static final String TABLES = "/api/v1/tables";
  static final String METRICS = "/metrics";
  static final String EXPLANATION = "/api/v1/flows/0xRULE/placement";
  private static final String EXPLAIN = "/api/v1/flows/0x";
  private static final String PLACEMENT = "/placement";

  private RuleViews() {}

  /** The flow id of a path {@code /api/v1/flows/0xHEX/placement}; null for other paths. */
  static @Nullable Long flowId(String path) {
    if (!path.startsWith(EXPLAIN) || !path.endsWith(PLACEMENT)) {
      return null;
    }
    String hex =
        path.substring(
            EXPLAIN.length(), Math.max(EXPLAIN.length(), path.length() - PLACEMENT.length()));
    return hex.matches("[0-9a-fA-F]{1,16}") ? Long.parseUnsignedLong(hex, 16) : null;
  }
}
