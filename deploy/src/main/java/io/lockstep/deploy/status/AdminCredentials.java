package io.lockstep.deploy.status;

import io.lockstep.keys.CallerKeys;
import org.jspecify.annotations.Nullable;

/**
 * What a caller shows a node that is on another machine.
 *
 * @param keys the cluster's authority, and the caller's certificate where it has one; null for no
 *     TLS
 * @param token of a user; null for none
 */
public record AdminCredentials(@Nullable CallerKeys keys, @Nullable String token) {
  /** Nothing, which is enough on loopback. */
  public static final AdminCredentials NONE = new AdminCredentials(null, null);
}
