package io.lockstep.keys;

import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.PKIXReason;

/**
 * A peer that is refused for what it is. The message is half a sentence for the log, with the
 * remedy where there is one: "its certificate was revoked on ...".
 */
public final class RefusedPeerException extends CertificateException {
  private static final long serialVersionUID = 1L;

  private final LinkRefusal refusal;

  /** A refusal with its reason. */
  public RefusedPeerException(LinkRefusal refusal, String message) {
    super(message, alert(refusal, message));
    this.refusal = refusal;
  }

  /** What TLS engines choose the alert from that the peer gets (RFC 8446, 6.2). */
  private static CertPathValidatorException alert(LinkRefusal refusal, String message) {
    CertPathValidatorException.Reason reason =
        switch (refusal) {
          case EXPIRED -> BasicReason.EXPIRED;
          case REVOKED -> BasicReason.REVOKED;
          case FOREIGN -> PKIXReason.NO_TRUST_ANCHOR;
          default -> BasicReason.UNSPECIFIED;
        };
    return new CertPathValidatorException(message, null, null, -1, reason);
  }

  /** The reason, for counters. */
  public LinkRefusal refusal() {
    return refusal;
  }
}
