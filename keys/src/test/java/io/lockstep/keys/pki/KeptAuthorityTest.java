package io.lockstep.keys.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lockstep.keys.KeyReader;
import io.lockstep.keys.PeerRole;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An authority that an earlier release made is read, and goes on. The files were made by {@code
 * lockstep pki init --cluster kept}, {@code issue} of n1, s1 and ann, and {@code revoke ann}; they
 * protect nothing.
 */
class KeptAuthorityTest {
  /** A day on which all of them are valid. */
  private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");

  @TempDir private Path temp;
  private Path directory;

  @BeforeEach
  void copy() throws IOException, URISyntaxException {
    Path kept = Path.of(Objects.requireNonNull(getClass().getResource("kept")).toURI());
    directory = temp.resolve("pki");
    List<Path> all;
    try (Stream<Path> walk = Files.walk(kept)) {
      all = walk.toList();
    }
    for (Path one : all) {
      Path copy = Files.copy(one, directory.resolve(kept.relativize(one).toString()));
      if (one.toString().endsWith(".key")) {
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-------"));
      }
    }
  }

  @Test
  void itsCertificatesAreReadAndTheRevokedOneStaysRevoked() throws Exception {
    try (Authority authority = Authority.open(directory, () -> NOW, new SecureRandom())) {
      assertThat(authority.cluster()).isEqualTo("kept");
      assertThat(authority.certificates())
          .extracting(
              one -> one.owner().role(),
              one -> one.owner().name(),
              one -> one.owner().dpids(),
              one -> one.state(NOW))
          .containsExactly(
              tuple(PeerRole.NODE, "n1", List.of(), "valid"),
              tuple(PeerRole.SWITCH, "s1", List.of(1L, 0xabL), "valid"),
              tuple(PeerRole.OPERATE, "ann", List.of(), "revoked"));
    }
  }

  @Test
  void itRenewsAndRevokes() throws Exception {
    try (Authority authority = Authority.open(directory, () -> NOW, new SecureRandom())) {
      assertThat(IssuedFiles.hosts(KeyReader.certificate(authority.renew("n1", 30).certificate())))
          .containsExactly("10.0.0.1", "n1.lab");
      assertThat(authority.revoke("s1")).extracting(one -> one.name()).containsExactly("s1");
      assertThat(authority.certificates())
          .filteredOn(one -> one.state(NOW).equals("revoked"))
          .extracting(one -> one.owner().name())
          .containsExactly("s1", "ann");
    }
  }
}
