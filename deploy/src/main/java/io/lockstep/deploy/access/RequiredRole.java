package io.lockstep.deploy.access;

import io.lockstep.core.access.Role;
import java.util.Optional;
import java.util.Set;

/** The role that a request needs. */
public final class RequiredRole {
  private static final Set<String> READING = Set.of("GET", "HEAD");

  /** Probes of a supervisor, which has no token; they say nothing but whether the node works. */
  private static final Set<String> OPEN = Set.of("/health/live", "/health/ready");

  /** Shown to an admin only. */
  private static final String USERS = "users";

  /** Changed by an admin only: users, what a node writes about its traffic, machines, versions. */
  private static final Set<String> ADMINISTRATION =
      Set.of(USERS, "recording", "log-levels", "replacements", "upgrade");

  private static final String API = "/api/v1/";

  /** An item may be named below the node of its id: {@code nodes/ID/drain} is {@code drains/ID}. */
  private static final String NODES = "nodes";

  private RequiredRole() {}

  /**
   * Of a method and a path.
   *
   * @return empty where everyone may
   */
  public static Optional<Role> of(String method, String path) {
    if (OPEN.contains(path) && READING.contains(method)) {
      return Optional.empty();
    }
    String resource = resource(path);
    if (READING.contains(method)) {
      return Optional.of(resource.equals(USERS) ? Role.ADMIN : Role.READ);
    }
    return Optional.of(ADMINISTRATION.contains(resource) ? Role.ADMIN : Role.OPERATE);
  }

  /** What is asked for, the same by each of its paths. */
  private static String resource(String path) {
    if (!path.startsWith(API)) {
      return "";
    }
    String[] parts = path.substring(API.length()).split("/", -1);
    return parts.length == 3 && parts[0].equals(NODES) ? parts[2] + "s" : parts[0];
  }
}
