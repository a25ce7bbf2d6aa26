package io.lockstep.keys;

import io.lockstep.keys.pki.Authority;
import io.lockstep.keys.pki.IssueOrder;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** A cluster's authority in a directory, and a clock that the test moves. */
final class TestCluster {
  private final Path directory;
  private Instant now = Instant.parse("2026-11-20T12:00:00Z");

  TestCluster(Path directory, String cluster) throws KeysException {
    this.directory = directory;
    Authority.init(directory, cluster, Authority.USUAL_DAYS, clock(), new SecureRandom());
  }

  InstantSource clock() {
    return () -> now;
  }

  void pass(Duration time) {
    now = now.plus(time);
  }

  Authority authority() throws KeysException {
    return Authority.open(directory, clock(), new SecureRandom());
  }

  KeyFiles issue(PeerRole role, String name) throws KeysException {
    List<Long> dpids = role == PeerRole.SWITCH ? List.of(0x1fL, 0xffff_ffff_ffff_ffffL) : List.of();
    try (Authority authority = authority()) {
      return authority.issue(
          new IssueOrder(role, name, List.of("10.0.0.1", "n1.example"), dpids, 30));
    }
  }

  KeyFiles renew(String name) throws KeysException {
    try (Authority authority = authority()) {
      return authority.renew(name, 30);
    }
  }

  void revoke(String which) throws KeysException {
    try (Authority authority = authority()) {
      var unused = authority.revoke(which);
    }
  }

  LinkKeys open(KeyFiles files) throws KeysException {
    return LinkKeys.open(files, clock());
  }
}
