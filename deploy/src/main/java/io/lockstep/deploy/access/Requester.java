package io.lockstep.deploy.access;

import io.lockstep.core.access.Role;

/**
 * Who sends a request.
 *
 * @param name of the user, or {@link #LOCAL}
 * @param role what the user may do
 */
public record Requester(String name, Role role) {
  /** Whoever reaches the loopback address of the machine and shows no token. */
  public static final Requester LOCAL = new Requester("local", Role.ADMIN);
}
