package io.lockstep.keys;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The SHA-256 of a certificate: it names that very certificate, whoever signed it. Immutable.
 *
 * @param hex 64 hexadecimal digits in lower case
 */
public record Fingerprint(String hex) {
  /** What {@code openssl x509 -fingerprint -sha256} prints, with colons or without. */
  public static final String WRITTEN = "(?:[0-9a-fA-F]{2}:?){31}[0-9a-fA-F]{2}";

  /**
   * From what people write.
   *
   * @param text matches {@link #WRITTEN}
   */
  public static Fingerprint parse(String text) {
    return new Fingerprint(text.replace(":", "").toLowerCase(Locale.ROOT));
  }

  /**
   * Of a certificate.
   *
   * @throws CertificateEncodingException where it has no encoding
   */
  public static Fingerprint of(X509Certificate certificate) throws CertificateEncodingException {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
      return new Fingerprint(HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Its beginning, enough for a log line. */
  @Override
  public String toString() {
    return hex.substring(0, 16) + "...";
  }
}
