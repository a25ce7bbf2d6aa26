package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Ports for replicas on loopback: each replica takes a pair. A block of them is guarded by its
 * first port, which this process holds until it ends, so that no other test takes the same block.
 * All lie below the range of outgoing connections (32768 on Linux), so that none can be lost to one
 * between a replica's end and its restart.
 */
final class ReplicaPorts {
  private static final int FIRST = 13_000;
  private static final int BLOCK = 16;
  private static final int BLOCKS = 400;
  private static final List<ServerSocket> GUARDS = new ArrayList<>();

  private ReplicaPorts() {}

  /** Members 0 to {@code count} - 1, at most 7, at ports that are free. */
  static synchronized List<Member> members(int count) throws IOException {
    for (int block = 0; block < BLOCKS; block++) {
      int base = FIRST + block * BLOCK;
      ServerSocket guard = listener(base);
      if (guard == null) {
        continue;
      }
      if (allFree(base + 1, base + 2 * count)) {
        GUARDS.add(guard);
        List<Member> members = new ArrayList<>();
        for (int id = 0; id < count; id++) {
          members.add(new Member(id, "127.0.0.1", base + 1 + 2 * id));
        }
        return members;
      }
      guard.close();
    }
    throw new IllegalStateException("no free block of ports from " + FIRST + " on");
  }

  private static boolean allFree(int first, int last) throws IOException {
    for (int port = first; port <= last; port++) {
      ServerSocket probe = listener(port);
      if (probe == null) {
        return false;
      }
      probe.close();
    }
    return true;
  }

  private static @org.jspecify.annotations.Nullable ServerSocket listener(int port) {
    try {
      return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    } catch (IOException taken) {
      return null;
    }
  }
}
