package io.lockstep.bench.peers;

import io.lockstep.bench.compare.Cluster;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.keys.KeyFiles;
import io.lockstep.keys.KeysException;
import io.lockstep.keys.LinkKeys;
import io.lockstep.keys.PeerRole;
import io.lockstep.keys.pki.Authority;
import io.lockstep.keys.pki.IssueOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keys of our store's processes, in the directory that they share. Where they are there, the
 * processes use them.
 */
final class StoreKeys {
  private static final String LOAD = "load";

  private static final String DIRECTORY = "keys";
  private static final int DAYS = 1;

  private StoreKeys() {}

  /** The name of a server in its certificate, and of its process. */
  static String server(int id) {
    return "server-" + id;
  }

  /** Makes an authority, and the keys of three servers and of the load. */
  static void issue(Cluster cluster) throws BenchException {
    Path directory = cluster.directory().resolve(DIRECTORY);
    InstantSource clock = InstantSource.system();
    SecureRandom random = new SecureRandom();
    try {
      Authority.init(directory, LockstepAdapter.CLUSTER, DAYS, clock, random);
      try (Authority authority = Authority.open(directory, clock, random)) {
        for (int id = 0; id < Cluster.SERVERS; id++) {
          authority.issue(order(PeerRole.NODE, server(id)));
        }
        authority.issue(order(PeerRole.ADMIN, LOAD));
      }
    } catch (KeysException e) {
      throw new BenchException("no keys for this run: " + e.getMessage(), e);
    }
  }

  private static IssueOrder order(PeerRole role, String name) {
    return new IssueOrder(role, name, List.of(Cluster.HOST), List.of(), DAYS);
  }

  /** The keys of a server; null where this run has none. */
  static @Nullable LinkKeys of(Cluster cluster, int id) {
    return of(cluster, PeerRole.NODE.word() + "-" + server(id));
  }

  /** The keys of the load; null where this run has none. */
  static @Nullable LinkKeys ofLoad(Cluster cluster) {
    return of(cluster, PeerRole.ADMIN.word() + "-" + LOAD);
  }

  private static @Nullable LinkKeys of(Cluster cluster, String issued) {
    Path directory = cluster.directory().resolve(DIRECTORY);
    if (!Files.isDirectory(directory)) {
      return null;
    }
    try {
      return LinkKeys.open(KeyFiles.of(directory.resolve(issued)), InstantSource.system());
    } catch (KeysException e) {
      throw new IllegalStateException("keys of this run: " + e.getMessage(), e);
    }
  }
}
