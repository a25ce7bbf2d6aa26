package io.lockstep.keys;

import java.util.Locale;

/** Why a connection was refused, for counters. */
public enum LinkRefusal {
  /** It does not begin with TLS. */
  NO_TLS,
  /** It shows no certificate. */
  NO_CERTIFICATE,
  /** Its certificate comes from another authority, or is another cluster's. */
  FOREIGN,
  /** Its certificate is not valid any more, or not yet. */
  EXPIRED,
  /** The authority has revoked its certificate. */
  REVOKED,
  /** Its certificate names no owner that Lockstep knows. */
  NO_IDENTITY,
  /** Its certificate is of a role that may not connect here. */
  WRONG_ROLE,
  /** Its certificate names another than it says it is, or than is expected. */
  WRONG_NAME,
  /** It refuses this process's certificate. */
  REFUSED_BY_PEER,
  /** It ends the connection during the handshake. */
  ENDED,
  /** It breaks the protocol TLS. */
  BROKEN_TLS,
  /** It took too long to introduce itself, or others needed its place. */
  TOO_SLOW;

  /** As a label of a counter. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
