package io.lockstep.store.simulation;

import io.lockstep.store.engine.SnapshotBytes;
import io.lockstep.store.engine.StateSnapshot;
import io.lockstep.store.log.SnapshotSink;
import io.lockstep.store.log.StoredSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The snapshots of one replica, written piece by piece while it goes on. */
final class SimulatedSnapshots {
  private static final int PIECE_BYTES = 300;

  private final SimulatedReplica replica;
  private final SimulatedCluster cluster;
  private final Random random;
  private @Nullable StateSnapshot snapshot;
  private @Nullable SnapshotSink sink;

  SimulatedSnapshots(SimulatedReplica replica, SimulatedCluster cluster, Random random) {
    this.replica = replica;
    this.cluster = cluster;
    this.random = random;
  }

  /** Begins one of what is applied, unless one is being written or there is nothing new. */
  void begin() throws IOException {
    if (sink != null || replica.log().last().instance() < 0) {
      return;
    }
    try (StoredSnapshot stored = replica.log().latestSnapshot()) {
      if (stored != null && stored.at().instance() == replica.log().last().instance()) {
        return;
      }
    }
    sink = replica.log().newSnapshot(replica.log().last());
    snapshot = replica.machine().snapshot();
    replica.later(1, this::write);
  }

  private void write() throws IOException {
    if (sink == null || snapshot == null) {
      return;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    boolean more = snapshot.writeSome(out, PIECE_BYTES);
    sink.write(out.toByteArray(), 0, out.size());
    if (more) {
      replica.later(random.nextInt(10), this::write);
      return;
    }
    sink.commit();
    cluster.saw("snapshot");
    giveUp();
  }

  /** The newest for a peer that lacks decisions; one is made where there is none. */
  StoredSnapshot forPeer() throws IOException {
    StoredSnapshot stored = replica.log().latestSnapshot();
    if (stored != null) {
      return stored;
    }
    giveUp();
    byte[] state = SnapshotBytes.of(replica.machine());
    try (SnapshotSink made = replica.log().newSnapshot(replica.log().last())) {
      made.write(state, 0, state.length);
      made.commit();
    }
    return Objects.requireNonNull(replica.log().latestSnapshot());
  }

  /** Ends the one that is being written. */
  void giveUp() throws IOException {
    if (sink != null) {
      sink.close();
      sink = null;
    }
    if (snapshot != null) {
      snapshot.close();
      snapshot = null;
    }
  }

  /** The replica has crashed. */
  void forget() {
    snapshot = null;
    sink = null;
  }
}
