package io.lockstep.keys.pki;

import io.lockstep.keys.KeyReader;
import io.lockstep.keys.KeysException;
import io.lockstep.keys.PeerIdentity;
import io.lockstep.keys.RefusedPeerException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Every certificate that an authority has issued, one file for each. Used by one thread. */
final class IssuedFiles {
  private static final String ENDING = ".crt";
  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  private final Path directory;

  IssuedFiles(Path directory) {
    this.directory = directory;
  }

  /** Adds a certificate. */
  void note(BigInteger serial, byte[] pem) throws KeysException {
    PemFiles.write(directory.resolve(serial.toString(16) + ENDING), pem);
  }

  /** All of them. */
  List<X509Certificate> all() throws KeysException {
    List<Path> files;
    try (Stream<Path> found = Files.list(directory)) {
      files = found.filter(one -> one.toString().endsWith(ENDING)).sorted().toList();
    } catch (IOException e) {
      throw new KeysException(
          "cannot read " + directory + ": " + e, "name the directory of the authority");
    }
    List<X509Certificate> all = new ArrayList<>();
    for (Path file : files) {
      all.add(KeyReader.certificate(file));
    }
    return all;
  }

  /**
   * The certificate with a serial number, or all of one owner.
   *
   * @param which a serial number, a name, or ROLE/NAME
   * @throws KeysException where there is none, or several owners have the name
   */
  List<X509Certificate> ofOne(String which) throws KeysException {
    List<X509Certificate> found = new ArrayList<>();
    Set<String> owners = new TreeSet<>();
    for (X509Certificate one : all()) {
      PeerIdentity owner = owner(one);
      String called = owner.role().word() + "/" + owner.name();
      if (owner.serialText().equals(which)) {
        return List.of(one);
      }
      if (owner.name().equals(which) || called.equals(which)) {
        found.add(one);
        owners.add(called);
      }
    }
    if (owners.isEmpty()) {
      throw new KeysException("no certificate is called " + which, "./lockstep pki show lists all");
    }
    if (owners.size() > 1) {
      throw new KeysException(
          which + " may be " + String.join(" or ", owners), "write the one that is meant");
    }
    return found;
  }

  /** Whom a certificate names. */
  static PeerIdentity owner(X509Certificate certificate) throws KeysException {
    try {
      return PeerIdentity.of(certificate);
    } catch (RefusedPeerException e) {
      throw new KeysException(
          "certificate " + certificate.getSerialNumber().toString(16) + ": " + e.getMessage(),
          "take it out of the directory 'issued'");
    }
  }

  /** The host names and addresses that a certificate has beside its owner. */
  static List<String> hosts(X509Certificate certificate) throws KeysException {
    Collection<List<?>> names;
    try {
      names = certificate.getSubjectAlternativeNames();
    } catch (CertificateParsingException e) {
      throw new KeysException(
          "certificate " + certificate.getSerialNumber().toString(16) + " cannot be read: " + e,
          "issue a new one under another name");
    }
    return names == null
        ? List.of()
        : names.stream()
            .filter(
                name ->
                    name.get(0) instanceof Integer kind && (kind == DNS_NAME || kind == IP_ADDRESS))
            .map(name -> String.valueOf(name.get(1)))
            .toList();
  }
}
