package io.lockstep.keys.pki;

import io.lockstep.keys.KeyFiles;
import io.lockstep.keys.KeyReader;
import io.lockstep.keys.KeysException;
import io.lockstep.keys.PeerIdentity;
import io.lockstep.keys.PeerRole;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.bouncycastle.operator.OperatorCreationException;

/**
 * The authority of a cluster, kept in one directory:
 *
 * <pre>
 * authority.crt  authority.key  revoked.crl
 * issued/SERIAL.crt             every certificate that was issued
 * ROLE-NAME/                    what to copy to the machine of the owner: {@link KeyFiles}
 * </pre>
 *
 * <p>Each write replaces one file at once, so a crash leaves a directory that can be used. One
 * process at a time changes it; a second one is refused. Used by one thread.
 */
public final class Authority implements AutoCloseable {
  /** Days of an authority where nothing else is said. */
  public static final int USUAL_DAYS = 3650;

  private static final int MAX_DAYS = 7300;
  private static final String KEY = "authority.key";
  private static final String ISSUED = "issued";
  private static final String CERTIFICATE_PEM = "CERTIFICATE";
  private static final String KEY_PEM = "PRIVATE KEY";
  private static final String LIST_PEM = "X509 CRL";

  private final Path directory;
  private final InstantSource clock;
  private final CertificateMaker maker;
  private final X509Certificate certificate;
  private final PrivateKey key;
  private final String cluster;
  private final FileChannel lock;
  private final IssuedFiles issued;

  /** Work that signs. */
  private interface Signing<T> {
    T run() throws GeneralSecurityException, IOException, OperatorCreationException, KeysException;
  }

  private Authority(Path directory, InstantSource clock, SecureRandom random, FileChannel lock)
      throws KeysException {
    this.directory = directory;
    this.clock = clock;
    this.maker = new CertificateMaker(random);
    this.lock = lock;
    this.issued = new IssuedFiles(directory.resolve(ISSUED));
    this.certificate = KeyReader.certificate(directory.resolve(KeyFiles.AUTHORITY));
    this.key = KeyReader.privateKey(directory.resolve(KEY), "EC");
    this.cluster = clusterOf(certificate, directory);
  }

  /**
   * Makes the authority of a new cluster.
   *
   * @param directory must not exist yet
   * @throws KeysException where it exists, or cannot be written
   */
  public static void init(
      Path directory, String cluster, int days, InstantSource clock, SecureRandom random)
      throws KeysException {
    IssueOrder.requireName(cluster, "name of a cluster");
    IssueOrder.requireDays(days, MAX_DAYS);
    CertificateMaker maker = new CertificateMaker(random);
    Instant now = clock.instant();
    PemFiles.makeDirectory(directory);
    PemFiles.makeDirectory(directory.resolve(ISSUED));
    signing(
        () -> {
          KeyPair keys = maker.keyPair();
          X509Certificate certificate = maker.authority(cluster, keys, now, days);
          X509CRL list = maker.list(certificate, keys.getPrivate(), Map.of(), BigInteger.ONE, now);
          PemFiles.writePrivate(
              directory.resolve(KEY), PemFiles.pem(KEY_PEM, keys.getPrivate().getEncoded()));
          PemFiles.write(
              directory.resolve(KeyFiles.REVOKED), PemFiles.pem(LIST_PEM, list.getEncoded()));
          // Last: a directory without it is no authority.
          PemFiles.write(
              directory.resolve(KeyFiles.AUTHORITY),
              PemFiles.pem(CERTIFICATE_PEM, certificate.getEncoded()));
          return directory;
        });
  }

  /**
   * Opens an authority; whoever opens it closes it.
   *
   * @throws KeysException where there is none, or another process uses it
   */
  public static Authority open(Path directory, InstantSource clock, SecureRandom random)
      throws KeysException {
    if (!Files.exists(directory.resolve(KeyFiles.AUTHORITY))) {
      throw new KeysException(
          directory + " holds no authority",
          "name its directory with --directory, or make one with ./lockstep pki init");
    }
    FileChannel lock = lock(directory);
    try {
      return new Authority(directory, clock, random, lock);
    } catch (KeysException e) {
      close(lock);
      throw e;
    }
  }

  private static FileChannel lock(Path directory) throws KeysException {
    try {
      FileChannel channel =
          FileChannel.open(
              directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      // Held until the channel is closed.
      FileLock held = channel.tryLock();
      if (held != null) {
        return channel;
      }
      channel.close();
    } catch (IOException e) {
      throw PemFiles.failed(directory, e);
    } catch (java.nio.channels.OverlappingFileLockException e) {
      // The same process, as below.
    }
    throw new KeysException(directory + " is in use by another process", "wait until it has ended");
  }

  private static void close(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException("closing a lock", e);
    }
  }

  @Override
  public void close() {
    close(lock);
  }

  /** The name of the cluster. */
  public String cluster() {
    return cluster;
  }

  /** When the authority itself ends. */
  public Instant notAfter() {
    return certificate.getNotAfter().toInstant();
  }

  /**
   * Issues a key and a certificate.
   *
   * @return the files, in a directory of their own
   * @throws KeysException where the owner has a directory already, or the order is out of its
   *     bounds
   */
  public KeyFiles issue(IssueOrder order) throws KeysException {
    order.check();
    Path home = home(order.role(), order.name());
    if (Files.exists(home)) {
      throw new KeysException(
          home + " is there already",
          "./lockstep pki renew " + order.name() + " makes a new key and certificate");
    }
    requireValid();
    PemFiles.makeDirectory(home);
    return write(order, home);
  }

  /**
   * Issues a new key and certificate with the content of the newest one of an owner. The old one
   * stays valid until it ends or is revoked.
   *
   * @param name a name, or ROLE/NAME where several roles have it
   * @param days how long the new one is valid
   */
  public KeyFiles renew(String name, int days) throws KeysException {
    return renew(name, List.of(), days);
  }

  /**
   * The same for an owner that may have moved.
   *
   * @param hosts its host names and IP addresses; empty for those of the certificate before
   */
  public KeyFiles renew(String name, List<String> hosts, int days) throws KeysException {
    X509Certificate newest =
        issued.ofOne(name).stream()
            .max(Comparator.comparing(X509Certificate::getNotAfter))
            .orElseThrow();
    PeerIdentity owner = IssuedFiles.owner(newest);
    IssueOrder order =
        new IssueOrder(
            owner.role(),
            owner.name(),
            hosts.isEmpty() ? IssuedFiles.hosts(newest) : hosts,
            owner.dpids(),
            days);
    order.check();
    requireValid();
    Path home = home(owner.role(), owner.name());
    if (!Files.exists(home)) {
      PemFiles.makeDirectory(home);
    }
    return write(order, home);
  }

  /**
   * Revokes certificates, and writes the new list to the authority's directory and to those of all
   * owners.
   *
   * @param which a serial number, a name, or ROLE/NAME; of a name all valid certificates
   * @return those that are revoked now and were not before
   * @throws KeysException where nothing is called so, or only what is revoked already
   */
  public List<PeerIdentity> revoke(String which) throws KeysException {
    List<X509Certificate> meant = issued.ofOne(which);
    Path listFile = directory.resolve(KeyFiles.REVOKED);
    X509CRL list = KeyReader.list(listFile, certificate);
    Map<BigInteger, Instant> revoked = KeyReader.revoked(list);
    Instant now = clock.instant();
    List<PeerIdentity> ended = new ArrayList<>();
    for (X509Certificate one : meant) {
      if (revoked.putIfAbsent(one.getSerialNumber(), now) == null) {
        ended.add(IssuedFiles.owner(one));
      }
    }
    if (ended.isEmpty()) {
      throw new KeysException(which + " is revoked already", "./lockstep pki show lists all");
    }
    BigInteger number = KeyReader.listNumber(list, listFile).add(BigInteger.ONE);
    byte[] pem =
        signing(
            () ->
                PemFiles.pem(
                    LIST_PEM, maker.list(certificate, key, revoked, number, now).getEncoded()));
    PemFiles.write(listFile, pem);
    for (Path home : homes()) {
      PemFiles.write(home.resolve(KeyFiles.REVOKED), pem);
    }
    return ended;
  }

  /** All certificates that were issued, by role, name and end. */
  public List<IssuedCertificate> certificates() throws KeysException {
    Map<BigInteger, Instant> revoked =
        KeyReader.revoked(KeyReader.list(directory.resolve(KeyFiles.REVOKED), certificate));
    List<IssuedCertificate> all = new ArrayList<>();
    for (X509Certificate one : issued.all()) {
      all.add(new IssuedCertificate(IssuedFiles.owner(one), revoked.get(one.getSerialNumber())));
    }
    all.sort(
        Comparator.comparing((IssuedCertificate one) -> one.owner().role())
            .thenComparing(one -> one.owner().name())
            .thenComparing(one -> one.owner().notAfter()));
    return all;
  }

  // ---------------------------------------------------------------- files

  private Path home(PeerRole role, String name) {
    return directory.resolve(role.word() + "-" + name);
  }

  private List<Path> homes() throws KeysException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(one -> Files.exists(one.resolve(KeyFiles.CERTIFICATE))).sorted().toList();
    } catch (IOException e) {
      throw PemFiles.failed(directory, e);
    }
  }

  private KeyFiles write(IssueOrder order, Path home) throws KeysException {
    KeyFiles files = KeyFiles.of(home);
    return signing(
        () -> {
          KeyPair keys = maker.keyPair();
          X509Certificate made =
              maker.certificate(cluster, order, keys, certificate, key, clock.instant());
          byte[] pem = PemFiles.pem(CERTIFICATE_PEM, made.getEncoded());
          // First: what is not noted here could not be revoked.
          issued.note(made.getSerialNumber(), pem);
          PemFiles.write(
              files.authority(), PemFiles.pem(CERTIFICATE_PEM, certificate.getEncoded()));
          PemFiles.write(files.revoked(), Files.readAllBytes(directory.resolve(KeyFiles.REVOKED)));
          PemFiles.writePrivate(
              files.privateKey(), PemFiles.pem(KEY_PEM, keys.getPrivate().getEncoded()));
          PemFiles.write(files.certificate(), pem);
          return files;
        });
  }

  private static <T> T signing(Signing<T> work) throws KeysException {
    try {
      return work.run();
    } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
      throw new KeysException(
          "cannot make a key or certificate: " + e, "see to the file or Java named, and try again");
    }
  }

  // ---------------------------------------------------------------- names

  private void requireValid() throws KeysException {
    if (clock.instant().isAfter(notAfter())) {
      throw new KeysException(
          "the authority ended on " + notAfter(), "make a new one with ./lockstep pki init");
    }
  }

  private static String clusterOf(X509Certificate authority, Path directory) throws KeysException {
    Optional<String> cluster =
        Stream.of(authority.getSubjectX500Principal().getName().split(",", -1))
            .filter(part -> part.startsWith("O="))
            .map(part -> part.substring("O=".length()))
            .findFirst();
    if (cluster.isEmpty() || !cluster.get().matches(PeerIdentity.NAME)) {
      throw new KeysException(
          directory.resolve(KeyFiles.AUTHORITY) + " is no authority of a cluster",
          "make one with ./lockstep pki init");
    }
    return cluster.get();
  }
}
