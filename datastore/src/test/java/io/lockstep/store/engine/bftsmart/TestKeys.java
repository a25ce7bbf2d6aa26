package io.lockstep.store.engine.bftsmart;

import io.lockstep.keys.KeyFiles;
import io.lockstep.keys.KeysException;
import io.lockstep.keys.LinkKeys;
import io.lockstep.keys.PeerRole;
import io.lockstep.keys.pki.Authority;
import io.lockstep.keys.pki.IssueOrder;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Keys of a cluster whose replicas are called r0, r1 and so on; the test moves their clock. */
final class TestKeys {
  private static final int DAYS = 30;

  private final Path directory;
  private volatile Instant now = Instant.now();

  TestKeys(Path directory, String cluster) throws KeysException {
    this.directory = directory;
    Authority.init(directory, cluster, Authority.USUAL_DAYS, clock(), new SecureRandom());
  }

  private InstantSource clock() {
    return () -> now;
  }

  void pass(Duration time) {
    now = now.plus(time);
  }

  KeyFiles issue(PeerRole role, String name) throws KeysException {
    try (Authority authority = open()) {
      List<Long> dpids = role == PeerRole.SWITCH ? List.of(1L) : List.of();
      return authority.issue(new IssueOrder(role, name, List.of(), dpids, DAYS));
    }
  }

  LinkKeys keys(PeerRole role, String name) throws KeysException {
    return LinkKeys.open(issue(role, name), clock());
  }

  LinkKeys replica(int id) throws KeysException {
    return keys(PeerRole.NODE, "r" + id);
  }

  void renew(String name) throws KeysException {
    try (Authority authority = open()) {
      authority.renew(name, DAYS);
    }
  }

  void revoke(String which) throws KeysException {
    try (Authority authority = open()) {
      var unused = authority.revoke(which);
    }
  }

  private Authority open() throws KeysException {
    return Authority.open(directory, clock(), new SecureRandom());
  }

  /** The same members with the names of {@link #replica}. */
  static List<Member> named(List<Member> members) {
    return members.stream()
        .map(one -> new Member(one.id(), one.host(), one.port(), "r" + one.id()))
        .toList();
  }
}
