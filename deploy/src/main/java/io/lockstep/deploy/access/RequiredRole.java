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

  /** The same below the path of a node. */
  private static final String REPLACEMENT = "/replacement";

  /** Changed by an admin only: users, what a node writes about its traffic, machines, versions. */
  private static final Set<String> ADMINISTRATION =
      Set.of(USERS, "recording", "log-levels", "replacements", "upgrade");

  private static final String API = "/api/v1/";

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
    String resource = firstBelowApi(path);
    if (READING.contains(method)) {
      return Optional.of(resource.equals(USERS) ? Role.ADMIN : Role.READ);
    }
    boolean admin = ADMINISTRATION.contains(resource) || path.endsWith(REPLACEMENT);
    return Optional.of(admin ? Role.ADMIN : Role.OPERATE);
  }

  private static String firstBelowApi(String path) {
    if (!path.startsWith(API)) {
      return "";
    }
    int end = path.indexOf('/', API.length());
    return path.substring(API.length(), end < 0 ? path.length() : end);
  }
}
