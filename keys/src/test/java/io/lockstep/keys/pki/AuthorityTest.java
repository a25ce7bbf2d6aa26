package io.lockstep.keys.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.keys.KeyFiles;
import io.lockstep.keys.KeyReader;
import io.lockstep.keys.KeysException;
import io.lockstep.keys.PeerIdentity;
import io.lockstep.keys.PeerRole;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuthorityTest {
  private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

  @TempDir private Path temp;

  private Path directory;
  private Instant now = START;

  private final InstantSource clock = () -> now;

  @BeforeEach
  void init() throws KeysException {
    directory = temp.resolve("pki");
    Authority.init(directory, "lab", Authority.USUAL_DAYS, clock, new SecureRandom());
  }

  private Authority open() throws KeysException {
    return Authority.open(directory, clock, new SecureRandom());
  }

  private static IssueOrder node(String name) {
    return new IssueOrder(
        PeerRole.NODE, name, List.of("10.0.0.1", "fe80::1", "n1.lab"), List.of(), 30);
  }

  @Test
  void filesAreOpenToTheirOwnerOnly() throws Exception {
    try (Authority authority = open()) {
      KeyFiles files = authority.issue(node("n1"));
      assertThat(permissions(directory)).isEqualTo("rwx------");
      assertThat(permissions(directory.resolve("authority.key"))).isEqualTo("rw-------");
      assertThat(permissions(directory.resolve("node-n1"))).isEqualTo("rwx------");
      assertThat(permissions(files.privateKey())).isEqualTo("rw-------");
      assertThat(permissions(files.certificate())).isEqualTo("rw-r--r--");
    }
  }

  private static String permissions(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void aCertificateNamesHostsBesideItsOwnerAndKeepsThemWhenRenewed() throws Exception {
    try (Authority authority = open()) {
      X509Certificate first = KeyReader.certificate(authority.issue(node("n1")).certificate());
      now = now.plus(Duration.ofDays(1));
      X509Certificate second =
          KeyReader.certificate(authority.renew("n1", IssueOrder.USUAL_DAYS).certificate());
      assertThat(IssuedFiles.hosts(first))
          .containsExactly("10.0.0.1", "fe80:0:0:0:0:0:0:1", "n1.lab");
      assertThat(IssuedFiles.hosts(second)).isEqualTo(IssuedFiles.hosts(first));
      assertThat(second.getSerialNumber()).isNotEqualTo(first.getSerialNumber());
      assertThat(second.getPublicKey()).isNotEqualTo(first.getPublicKey());
      assertThat(second.getNotAfter().toInstant()).isEqualTo(now.plus(Duration.ofDays(365)));
      X509Certificate moved =
          KeyReader.certificate(authority.renew("n1", List.of("10.0.0.9"), 30).certificate());
      assertThat(IssuedFiles.hosts(moved)).containsExactly("10.0.0.9");
    }
  }

  @Test
  void nothingIsOverwritten() throws Exception {
    assertThatThrownBy(() -> Authority.init(directory, "lab", 30, clock, new SecureRandom()))
        .isInstanceOf(KeysException.class)
        .hasMessageContaining("is there already");
    try (Authority authority = open()) {
      KeyFiles files = authority.issue(node("n1"));
      byte[] key = Files.readAllBytes(files.privateKey());
      assertThatThrownBy(() -> authority.issue(node("n1"))).hasMessageContaining("already");
      assertThat(Files.readAllBytes(files.privateKey())).isEqualTo(key);
    }
  }

  @Test
  void twoProcessesDoNotChangeItAtOnce() throws Exception {
    try (Authority first = open()) {
      assertThat(first.cluster()).isEqualTo("lab");
      assertThatThrownBy(this::open).hasMessageContaining("in use");
    }
    try (Authority again = open()) {
      assertThat(again.notAfter()).isAfter(START);
    }
  }

  @Test
  void aNameIsRevokedWithAllItsCertificatesAndEveryOwnerGetsTheList() throws Exception {
    try (Authority authority = open()) {
      KeyFiles n1 = authority.issue(node("n1"));
      KeyFiles n2 = authority.issue(node("n2"));
      KeyFiles renewed = authority.renew("n1", 30);
      assertThat(renewed).isEqualTo(n1);
      List<PeerIdentity> ended = authority.revoke("n1");
      assertThat(ended).hasSize(2).allMatch(one -> one.name().equals("n1"));
      byte[] list = Files.readAllBytes(directory.resolve(KeyFiles.REVOKED));
      assertThat(Files.readAllBytes(n2.revoked())).isEqualTo(list);
      assertThat(authority.certificates().stream().map(one -> one.state(now)))
          .containsExactly("revoked", "revoked", "valid");
      assertThatThrownBy(() -> authority.revoke("n1")).hasMessageContaining("revoked already");
      assertThatThrownBy(() -> authority.revoke("n9")).hasMessageContaining("no certificate");
      // A machine that was set up anew.
      authority.renew("n1", 30);
      assertThat(authority.certificates().stream().map(one -> one.state(now)))
          .containsExactlyInAnyOrder("revoked", "revoked", "valid", "valid");
    }
  }

  @Test
  void oneCertificateIsRevokedByItsNumberAndANameOfTwoRolesNeedsItsRole() throws Exception {
    try (Authority authority = open()) {
      authority.issue(node("one"));
      authority.issue(new IssueOrder(PeerRole.READ, "one", List.of(), List.of(), 30));
      assertThatThrownBy(() -> authority.revoke("one"))
          .hasMessageContaining("node/one or read/one");
      String serial = authority.certificates().get(0).owner().serialText();
      assertThat(authority.revoke(serial)).hasSize(1);
      assertThat(authority.revoke("read/one")).hasSize(1);
    }
  }

  @Test
  void ordersOutsideOfTheirBoundsAreRefusedAndMakeNothing() throws Exception {
    try (Authority authority = open()) {
      for (IssueOrder wrong :
          List.of(
              new IssueOrder(PeerRole.NODE, "../n1", List.of(), List.of(), 30),
              new IssueOrder(PeerRole.NODE, "n1", List.of("a b"), List.of(), 30),
              new IssueOrder(PeerRole.NODE, "n1", List.of(), List.of(1L), 30),
              new IssueOrder(PeerRole.SWITCH, "s1", List.of(), List.of(), 30),
              new IssueOrder(PeerRole.NODE, "n1", List.of(), List.of(), 0))) {
        assertThatThrownBy(() -> authority.issue(wrong)).isInstanceOf(KeysException.class);
      }
      assertThat(authority.certificates()).isEmpty();
    }
  }

  @Test
  void nothingOutlivesTheAuthority() throws Exception {
    now = now.plus(Duration.ofDays(Authority.USUAL_DAYS - 10));
    try (Authority authority = open()) {
      X509Certificate made = KeyReader.certificate(authority.issue(node("n1")).certificate());
      assertThat(made.getNotAfter().toInstant()).isEqualTo(authority.notAfter());
      now = now.plus(Duration.ofDays(11));
      assertThatThrownBy(() -> authority.renew("n1", 30)).hasMessageContaining("ended");
    }
  }
}
