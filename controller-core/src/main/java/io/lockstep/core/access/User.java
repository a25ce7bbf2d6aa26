package io.lockstep.core.access;

import io.lockstep.store.Bytes;

/**
 * Who may operate the cluster.
 *
 * @param name unique
 * @param role what the user may do
 * @param digest of the token ({@link Token#digest})
 * @param sinceMillis when the token was set, in milliseconds since 1970 by the clock of the node
 *     that was asked
 */
public record User(String name, Role role, Bytes digest, long sinceMillis) {
  public User {
    UserName.require(name);
    if (digest.length() != Token.DIGEST_BYTES) {
      throw new IllegalArgumentException("a digest of " + digest.length() + " bytes");
    }
  }
}
