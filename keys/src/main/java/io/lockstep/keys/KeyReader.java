package io.lockstep.keys;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CRLException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the files of a process and checks that they fit each other. Stateless. */
public final class KeyReader {
  /** Larger files are not read. */
  static final int MAX_FILE_BYTES = 1 << 20;

  private static final String ISSUE = "copy it from the directory that ./lockstep pki issue made";
  private static final Pattern PRIVATE_KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
  private static final byte[] PROBE = "lockstep".getBytes(StandardCharsets.US_ASCII);
  private static final int DER_TAG_AND_LENGTH_BYTES = 2;

  private KeyReader() {}

  /**
   * Reads all files.
   *
   * @throws KeysException where one is missing, cannot be read, is no PEM of its kind, may be read
   *     by others, or does not fit the others
   */
  static KeyMaterial read(KeyFiles files) throws KeysException {
    X509Certificate authority = certificate(files.authority());
    X509Certificate certificate = certificate(files.certificate());
    PrivateKey key = privateKey(files.privateKey(), certificate.getPublicKey().getAlgorithm());
    requirePair(files, key, certificate);
    X509CRL list = list(files.revoked(), authority);
    PeerIdentity own;
    try {
      certificate.verify(authority.getPublicKey());
      own = PeerIdentity.of(certificate);
    } catch (RefusedPeerException e) {
      throw new KeysException(
          files.certificate() + ": " + e.getMessage(), "make one with ./lockstep pki issue");
    } catch (GeneralSecurityException e) {
      throw new KeysException(
          files.certificate() + " is not signed by the authority of " + files.authority(),
          "take both from one directory that ./lockstep pki issue made");
    }
    return new KeyMaterial(
        authority, certificate, key, own, revoked(list), listNumber(list, files.revoked()));
  }

  /**
   * Reads a file with one certificate.
   *
   * @throws KeysException where there is none
   */
  public static X509Certificate certificate(Path file) throws KeysException {
    try {
      Certificate read =
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(bytes(file)));
      if (read instanceof X509Certificate certificate) {
        return certificate;
      }
    } catch (CertificateException | RuntimeException e) {
      // No certificate, whatever else it is: the JDK's parser throws both.
    }
    throw new KeysException(file + " is no certificate in PEM", ISSUE);
  }

  /**
   * Reads a list of revoked certificates and checks its signature.
   *
   * @throws KeysException where there is none, or another authority's
   */
  public static X509CRL list(Path file, X509Certificate authority) throws KeysException {
    X509CRL list;
    try {
      list =
          (X509CRL)
              CertificateFactory.getInstance("X.509")
                  .generateCRL(new ByteArrayInputStream(bytes(file)));
    } catch (CertificateException | CRLException | RuntimeException e) {
      throw new KeysException(file + " is no list of revoked certificates in PEM", ISSUE);
    }
    try {
      list.verify(authority.getPublicKey());
    } catch (GeneralSecurityException e) {
      throw new KeysException(file + " is not signed by the authority beside it", ISSUE);
    }
    return list;
  }

  /**
   * Reads a private key.
   *
   * @param algorithm EC or RSA
   * @throws KeysException where there is none, or others may read it
   */
  public static PrivateKey privateKey(Path file, String algorithm) throws KeysException {
    requirePrivate(file);
    String text = new String(bytes(file), StandardCharsets.US_ASCII);
    Matcher pem = PRIVATE_KEY.matcher(text);
    try {
      if (pem.find()) {
        byte[] der = Base64.getMimeDecoder().decode(pem.group(1));
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
      }
    } catch (GeneralSecurityException | RuntimeException e) {
      // No key of this kind, whatever else it is.
    }
    throw new KeysException(
        file + " is no private key in PEM (PKCS #8, 'BEGIN PRIVATE KEY')", ISSUE);
  }

  private static void requirePrivate(Path file) throws KeysException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null) {
      return;
    }
    try {
      Set<PosixFilePermission> open = EnumSet.copyOf(view.readAttributes().permissions());
      open.removeAll(
          EnumSet.of(
              PosixFilePermission.OWNER_READ,
              PosixFilePermission.OWNER_WRITE,
              PosixFilePermission.OWNER_EXECUTE));
      if (!open.isEmpty()) {
        throw new KeysException(
            file + " may be used by others than its owner", "chmod 600 " + file);
      }
    } catch (IOException | IllegalArgumentException e) {
      throw unreadable(file, e);
    }
  }

  private static byte[] bytes(Path file) throws KeysException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
      if (bytes.length > MAX_FILE_BYTES) {
        throw new KeysException(file + " is longer than " + MAX_FILE_BYTES + " bytes", ISSUE);
      }
      return bytes;
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static KeysException unreadable(Path file, Exception e) {
    if (e instanceof NoSuchFileException) {
      return new KeysException(file + " is not there", ISSUE);
    }
    if (e instanceof AccessDeniedException) {
      return new KeysException(
          file + " may not be read by this user", "give the file to the user of this process");
    }
    return new KeysException("cannot read " + file + ": " + e.getMessage(), ISSUE);
  }

  private static void requirePair(KeyFiles files, PrivateKey key, X509Certificate certificate)
      throws KeysException {
    String scheme = "SHA256with" + (key.getAlgorithm().equals("EC") ? "ECDSA" : "RSA");
    try {
      Signature sign = Signature.getInstance(scheme);
      sign.initSign(key);
      sign.update(PROBE);
      byte[] signature = sign.sign();
      Signature verify = Signature.getInstance(scheme);
      verify.initVerify(certificate.getPublicKey());
      verify.update(PROBE);
      if (verify.verify(signature)) {
        return;
      }
    } catch (GeneralSecurityException e) {
      // They do not fit, as below.
    }
    throw new KeysException(
        files.privateKey() + " is not the key of " + files.certificate(),
        "copy both anew from the directory that ./lockstep pki issue or renew made");
  }

  /** The serial numbers of a list, with the times of their revocation. */
  public static Map<BigInteger, Instant> revoked(X509CRL list) {
    Map<BigInteger, Instant> revoked = new HashMap<>();
    Set<? extends X509CRLEntry> entries = list.getRevokedCertificates();
    if (entries != null) {
      for (X509CRLEntry entry : entries) {
        revoked.put(entry.getSerialNumber(), entry.getRevocationDate().toInstant());
      }
    }
    return revoked;
  }

  /**
   * The number of a list (RFC 5280, 5.2.3).
   *
   * @throws KeysException where it has none
   */
  public static BigInteger listNumber(X509CRL list, Path file) throws KeysException {
    byte[] wrapped = list.getExtensionValue("2.5.29.20");
    // An octet string of an integer, both shorter than 128 bytes.
    if (wrapped == null || wrapped.length <= 2 * DER_TAG_AND_LENGTH_BYTES) {
      throw new KeysException(file + " has no number", ISSUE);
    }
    byte[] number = new byte[wrapped.length - 2 * DER_TAG_AND_LENGTH_BYTES];
    System.arraycopy(wrapped, 2 * DER_TAG_AND_LENGTH_BYTES, number, 0, number.length);
    return new BigInteger(number);
  }
}
