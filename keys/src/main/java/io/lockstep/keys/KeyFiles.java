package io.lockstep.keys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of one process, as {@code ./lockstep pki issue} writes them into one directory. All of
 * them are PEM.
 *
 * @param authority the certificate of the cluster's authority
 * @param certificate the process's own
 * @param privateKey its private key, PKCS #8, which only its owner may read
 * @param revoked the authority's list of revoked certificates (RFC 5280, 5)
 */
public record KeyFiles(Path authority, Path certificate, Path privateKey, Path revoked) {
  public static final String AUTHORITY = "authority.crt";
  public static final String CERTIFICATE = "certificate.crt";
  public static final String PRIVATE_KEY = "private.key";
  public static final String REVOKED = "revoked.crl";

  /** The files of a directory under their usual names. */
  public static KeyFiles of(Path directory) {
    return new KeyFiles(
        directory.resolve(AUTHORITY),
        directory.resolve(CERTIFICATE),
        directory.resolve(PRIVATE_KEY),
        directory.resolve(REVOKED));
  }

  /**
   * What changes when a file does.
   *
   * @throws KeysException where one is not there
   */
  List<String> stamps() throws KeysException {
    List<String> stamps = new ArrayList<>();
    for (Path file : List.of(authority, certificate, privateKey, revoked)) {
      try {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        stamps.add(found.lastModifiedTime() + " " + found.size() + " " + found.fileKey());
      } catch (IOException e) {
        throw new KeysException(
            file + " is not there or cannot be read",
            "copy it from the directory that ./lockstep pki issue made");
      }
    }
    return stamps;
  }
}
