package io.lockstep.keys.pki;

import io.lockstep.keys.PeerIdentity;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A certificate that the authority has issued.
 *
 * @param revokedAt when it was revoked; null where it was not
 */
public record IssuedCertificate(PeerIdentity owner, @Nullable Instant revokedAt) {

  /** {@code valid}, {@code expired}, or {@code revoked}. */
  public String state(Instant now) {
    if (revokedAt != null) {
      return "revoked";
    }
    return now.isAfter(owner.notAfter()) ? "expired" : "valid";
  }
}
