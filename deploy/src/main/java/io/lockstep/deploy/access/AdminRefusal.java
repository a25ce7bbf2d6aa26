package io.lockstep.deploy.access;

import java.util.Locale;

/** Why the admin HTTP refused a request, for counters. */
public enum AdminRefusal {
  /** Neither a certificate nor a token, where one is needed. */
  NO_CREDENTIALS,
  /** A token that no user has. */
  UNKNOWN_TOKEN,
  /** A certificate of a node or a switch, or a user's role that does not include the request. */
  WRONG_ROLE,
  /** A name in {@code Host} that is none of this node's. */
  FOREIGN_NAME,
  /** A page of another site. */
  FOREIGN_PAGE;

  /** As a label of a counter. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
