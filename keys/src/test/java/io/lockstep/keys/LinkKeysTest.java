package io.lockstep.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinkKeysTest {
  @TempDir private Path temp;

  private TestCluster cluster;

  @BeforeEach
  void makeAuthority() throws KeysException {
    cluster = new TestCluster(temp.resolve("authority"), "lab");
  }

  private static String failure(KeyFiles files, TestCluster cluster) {
    KeysException refused = catchThrowableOfType(KeysException.class, () -> cluster.open(files));
    assertThat(refused.remedy()).isNotEmpty();
    return refused.getMessage();
  }

  @Test
  void aCertificateSaysWhoItsOwnerIs() throws KeysException {
    PeerIdentity node = cluster.open(cluster.issue(PeerRole.NODE, "n1")).own();
    assertThat(node.cluster()).isEqualTo("lab");
    assertThat(node.role()).isEqualTo(PeerRole.NODE);
    assertThat(node.name()).isEqualTo("n1");
    assertThat(node.dpids()).isEmpty();
    PeerIdentity bridge = cluster.open(cluster.issue(PeerRole.SWITCH, "s1")).own();
    assertThat(bridge.dpids()).containsExactly(0x1fL, 0xffff_ffff_ffff_ffffL);
    assertThat(bridge).hasToString("switch s1");
  }

  @Test
  void aKeyThatOthersMayReadIsRefused() throws Exception {
    KeyFiles files = cluster.issue(PeerRole.NODE, "n1");
    Files.setPosixFilePermissions(files.privateKey(), PosixFilePermissions.fromString("rw-r-----"));
    assertThat(failure(files, cluster)).contains("may be used by others");
  }

  @Test
  void filesThatDoNotFitAreRefusedByName() throws Exception {
    KeyFiles n1 = cluster.issue(PeerRole.NODE, "n1");
    KeyFiles n2 = cluster.issue(PeerRole.NODE, "n2");
    assertThat(
            failure(
                new KeyFiles(n1.authority(), n1.certificate(), n2.privateKey(), n1.revoked()),
                cluster))
        .contains("private.key is not the key of");
    KeyFiles foreign = new TestCluster(temp.resolve("foreign"), "lab").issue(PeerRole.NODE, "n1");
    assertThat(
            failure(
                new KeyFiles(foreign.authority(), n1.certificate(), n1.privateKey(), n1.revoked()),
                cluster))
        .contains("is not signed by the authority");
    assertThat(
            failure(
                new KeyFiles(n1.authority(), n1.certificate(), n1.privateKey(), foreign.revoked()),
                cluster))
        .contains("revoked.crl is not signed by");
    assertThat(
            failure(
                new KeyFiles(n1.authority(), n1.revoked(), n1.privateKey(), n1.revoked()), cluster))
        .contains("is no certificate");
    Files.delete(n1.revoked());
    assertThat(failure(n1, cluster)).contains("revoked.crl").contains("is not there");
  }

  @Test
  void anExpiredCertificateOfItsOwnIsRefused() throws Exception {
    KeyFiles files = cluster.issue(PeerRole.NODE, "n1");
    cluster.pass(Duration.ofDays(31));
    assertThat(failure(files, cluster)).contains("expired");
  }

  @Test
  void renewedKeysAreReadWithoutARestart() throws Exception {
    KeyFiles files = cluster.issue(PeerRole.NODE, "n1");
    LinkKeys keys = cluster.open(files);
    String before = keys.own().serialText();
    cluster.pass(Duration.ofDays(1));
    cluster.renew("n1");
    assertThat(keys.own().serialText()).isEqualTo(before);
    keys.look();
    assertThat(keys.own().serialText()).isNotEqualTo(before);
  }

  @Test
  void brokenFilesLeaveTheOldKeysUntilGoodOnesCome() throws Exception {
    KeyFiles files = cluster.issue(PeerRole.NODE, "n1");
    LinkKeys keys = cluster.open(files);
    String before = keys.own().serialText();
    Path kept = temp.resolve("kept");
    Files.move(files.certificate(), kept);
    keys.look();
    Files.writeString(files.certificate(), "-----BEGIN CERTIFICATE-----\nAAAA\n");
    keys.look();
    keys.look();
    assertThat(keys.own().serialText()).isEqualTo(before);
    Files.move(kept, files.certificate(), StandardCopyOption.REPLACE_EXISTING);
    keys.look();
    assertThat(keys.own().serialText()).isEqualTo(before);
    cluster.renew("n1");
    keys.look();
    assertThat(keys.own().serialText()).isNotEqualTo(before);
  }

  @Test
  void aProcessKeepsItsName() throws Exception {
    KeyFiles files = cluster.issue(PeerRole.NODE, "n1");
    KeyFiles others = cluster.issue(PeerRole.NODE, "n2");
    LinkKeys keys = cluster.open(files);
    copy(others.privateKey(), files.privateKey());
    copy(others.certificate(), files.certificate());
    keys.look();
    assertThat(keys.own().name()).isEqualTo("n1");
  }

  @Test
  void anOlderListOfRevokedCertificatesDoesNotBringOneBack() throws Exception {
    KeyFiles files = cluster.issue(PeerRole.NODE, "n1");
    PeerIdentity n2 = cluster.open(cluster.issue(PeerRole.NODE, "n2")).own();
    Path old = temp.resolve("old.crl");
    Files.copy(files.revoked(), old);
    LinkKeys keys = cluster.open(files);
    cluster.revoke("n2");
    keys.look();
    copy(old, files.revoked());
    keys.look();
    List<String> closed = new ArrayList<>();
    keys.watch(n2, () -> closed.add("n2"));
    keys.look();
    assertThat(closed).containsExactly("n2");
  }

  @Test
  void connectionsEndWithTheCertificateOfTheirPeer() throws Exception {
    LinkKeys keys = cluster.open(cluster.issue(PeerRole.NODE, "n1"));
    PeerIdentity n2 = cluster.open(cluster.issue(PeerRole.NODE, "n2")).own();
    cluster.pass(Duration.ofDays(10));
    PeerIdentity n3 = cluster.open(cluster.issue(PeerRole.NODE, "n3")).own();
    List<String> closed = new ArrayList<>();
    keys.watch(
        n2,
        () -> {
          closed.add("n2");
          throw new IllegalStateException("one that fails does not keep others open");
        });
    keys.watch(n3, () -> closed.add("n3"));
    keys.watch(n3, () -> closed.add("left before")).close();
    keys.look();
    assertThat(closed).isEmpty();
    cluster.revoke("node/n3");
    keys.look();
    assertThat(closed).containsExactly("n3");
    cluster.pass(Duration.ofDays(21));
    keys.look();
    keys.look();
    assertThat(closed).containsExactly("n3", "n2");
    assertThat(keys.refusals()).containsEntry("revoked", 1L).containsEntry("expired", 1L);
  }

  @Test
  void aLongFileIsNotRead() throws Exception {
    KeyFiles files = cluster.issue(PeerRole.NODE, "n1");
    Files.write(files.authority(), new byte[KeyReader.MAX_FILE_BYTES + 1]);
    assertThat(failure(files, cluster)).contains("longer than");
  }

  @Test
  void identitiesThatSayTooMuchOrTooLittleAreNone() {
    assertThatThrownBy(() -> PeerIdentity.of(new NamedCertificate()))
        .isInstanceOf(RefusedPeerException.class);
    for (String[] uris :
        new String[][] {
          {"lockstep://lab/node/n1", "lockstep://lab/node/n2"},
          {"lockstep://lab/king/n1"},
          {"lockstep://lab/node/n1\nn2"},
          {"lockstep://lab/node/"},
          {"lockstep://lab/switch/s1"},
          {"lockstep://lab/node/n1", "lockstep://lab/dpid/0000000000000001"},
          {"lockstep://lab/switch/s1", "lockstep://other/dpid/0000000000000001"},
          {"http://lab/node/n1"},
        }) {
      RefusedPeerException refused =
          catchThrowableOfType(
              RefusedPeerException.class, () -> PeerIdentity.of(new NamedCertificate(uris)));
      assertThat(refused).as(String.join(" ", uris)).isNotNull();
      assertThat(refused.refusal()).isEqualTo(LinkRefusal.NO_IDENTITY);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
  }
}
