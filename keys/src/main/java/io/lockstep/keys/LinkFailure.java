package io.lockstep.keys;

import io.netty.buffer.ByteBuf;
import io.netty.handler.ssl.NotSslRecordException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * Why TLS failed, in half a sentence for the log and as a reason for a counter.
 *
 * @param text begins with "it" or "its"; names the remedy where there is one
 */
public record LinkFailure(LinkRefusal refusal, String text) {
  private static final int MAX_CAUSES = 8;
  private static final int MAX_TEXT = 160;
  private static final Pattern ALERT =
      Pattern.compile("(?:fatal alert: |ALERT_|TLSV1_)([A-Za-z_]+)");

  /** What a peer without TLS reads from one that expects it. */
  public static final String PEER_SPEAKS_TLS =
      "it uses TLS, this process does not: name keys of the same cluster in the file of both"
          + " ('keys')";

  /**
   * Finds the reason in a failure of a handler, socket or engine.
   *
   * @return empty where the failure is none of TLS, such as a broken connection
   */
  public static Optional<LinkFailure> of(Throwable failure) {
    Throwable cause = failure;
    Throwable tls = null;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
      if (cause instanceof RefusedPeerException refused) {
        return Optional.of(
            new LinkFailure(refused.refusal(), String.valueOf(refused.getMessage())));
      }
      if (cause instanceof SSLException) {
        tls = cause;
      }
      for (Throwable beside : cause.getSuppressed()) {
        // So netty says that the connection ended during the handshake.
        tls = beside instanceof SSLException ? beside : tls;
      }
      cause = cause.getCause();
    }
    return tls == null ? Optional.empty() : Optional.of(ofTls(tls));
  }

  private static LinkFailure ofTls(Throwable failure) {
    if (failure instanceof NotSslRecordException) {
      return new LinkFailure(
          LinkRefusal.NO_TLS, "it does not use TLS: give it keys of this cluster ('keys')");
    }
    String says = String.valueOf(failure.getMessage());
    String low = says.toLowerCase(Locale.ROOT);
    if (low.contains("empty client certificate chain")
        || low.contains("peer_did_not_return_a_certificate")
        || low.contains("empty server certificate chain")) {
      return new LinkFailure(
          LinkRefusal.NO_CERTIFICATE, "it shows no certificate: give it keys of this cluster");
    }
    if (low.contains("plaintext connection") || low.contains("unsupported or unrecognized ssl")) {
      return new LinkFailure(
          LinkRefusal.NO_TLS, "it does not use TLS: give it keys of this cluster ('keys')");
    }
    Matcher alert = ALERT.matcher(says);
    if (alert.find()
        && (low.contains("received fatal alert")
            || low.contains("alert_")
            || low.contains("certificate_required"))) {
      return new LinkFailure(
          LinkRefusal.REFUSED_BY_PEER,
          "it refuses the certificate or TLS of this process ("
              + alert.group(1).toLowerCase(Locale.ROOT)
              + "): its log says why");
    }
    if (low.contains("connection closed while ssl/tls handshake")
        || low.contains("terminated the handshake")
        || low.contains("connection reset")
        || low.contains("broken pipe")) {
      return new LinkFailure(
          LinkRefusal.ENDED,
          "it ends the connection during the handshake of TLS: it has no keys, or refuses this"
              + " process; its log says why");
    }
    if (low.contains("handshake timed out")) {
      return new LinkFailure(LinkRefusal.TOO_SLOW, "it does not end its handshake of TLS in time");
    }
    return new LinkFailure(LinkRefusal.BROKEN_TLS, "its TLS is broken: " + plain(says));
  }

  /** Bytes of a peer must not make lines of their own in the log. */
  private static String plain(String text) {
    String one = text.replaceAll("[^ -~]", "?");
    return one.length() <= MAX_TEXT ? one : one.substring(0, MAX_TEXT) + "...";
  }

  /** Whether the bytes that a process without keys reads are the beginning of TLS. */
  public static boolean isTls(ByteBuf in) {
    return in.readableBytes() > 1 && TlsOnlyGate.looksLikeTls(in);
  }
}
