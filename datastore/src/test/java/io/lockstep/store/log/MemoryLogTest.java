package io.lockstep.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MemoryLogTest {
  private final MemoryLog log = new MemoryLog(new MemoryLog.Bounds(10, 1 << 20, 2 << 20));

  private List<Decision> append(int count, int maxBytes) {
    List<Decision> added = History.after(log.last(), count, maxBytes, 7);
    added.forEach(log::append);
    return added;
  }

  private void snapshot(Decision at, byte[] state) throws IOException {
    try (SnapshotSink sink = log.newSnapshot(at)) {
      sink.write(state, 0, state.length);
      sink.commit();
    }
  }

  private StoredSnapshot latest() {
    return Objects.requireNonNull(log.latestSnapshot());
  }

  @Test
  void emptyLogStandsBeforeTheFirstInstance() {
    assertThat(log.last()).isSameAs(Decision.NONE);
    assertThat(log.after(-1, 100)).isEmpty();
    assertThat(log.chainAfter(-1)).isEqualTo(Decision.NONE.chain());
    assertThat(log.chainAfter(0)).isNull();
    assertThat(log.latestSnapshot()).isNull();
    assertThat(log.joined()).isFalse();
  }

  @Test
  void promisesNeverGoBack() {
    log.promise(5);
    log.promise(3);
    log.markJoined();
    assertThat(log.regency()).isEqualTo(5);
    assertThat(log.joined()).isTrue();
  }

  @Test
  void decisionsAreGivenInOrderAndAboutAsManyAsWanted() {
    List<Decision> added = append(8, 0);
    assertThat(log.after(-1, 1 << 20)).isEqualTo(added);
    assertThat(log.after(3, 3 * Decision.CHAIN_BYTES)).isEqualTo(added.subList(4, 7));
    assertThat(log.after(3, 1)).isEqualTo(added.subList(4, 5));
    assertThat(log.after(7, 1)).isEmpty();
    assertThat(log.after(8, 1)).isNull();
    assertThat(log.chainAfter(5)).isEqualTo(added.get(5).chain());
    assertThatThrownBy(() -> log.append(added.get(3))).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void oldDecisionsGoWhenThereAreTooMany() {
    append(25, 10);
    assertThat(log.after(14, 1 << 20)).hasSize(10);
    assertThat(log.after(13, 1 << 20)).isNull();
    assertThat(log.chainAfter(3)).isNull();
  }

  @Test
  void decisionsAfterSnapshotInUseStayUpToTheLargerBound() throws IOException {
    append(5, 10);
    snapshot(log.last(), new byte[3]);
    try (StoredSnapshot served = latest()) {
      assertThat(served.at().instance()).isEqualTo(4);
      append(30, 10);
      assertThat(log.after(4, 1 << 20)).hasSize(30);
      append(40, 200_000);
      assertThat(log.after(4, 1 << 20)).as("past the larger bound").isNull();
    }
    assertThat(log.after(64, 10 << 20)).as("all that fits").hasSize(10);
    assertThat(log.after(63, 1 << 20)).isNull();
  }

  @Test
  void decisionsStayWhileTheirSnapshotIsMade() throws IOException {
    append(5, 10);
    try (SnapshotSink sink = log.newSnapshot(log.last())) {
      append(30, 10);
      sink.commit();
      try (StoredSnapshot made = latest()) {
        assertThat(log.after(made.at().instance(), 1)).isNull();
      }
    }
    try (SnapshotSink sink = log.newSnapshot(log.last())) {
      sink.write(new byte[1], 0, 1);
      append(30, 10);
      assertThat(log.after(34, 1 << 20)).hasSize(30);
    }
    assertThat(log.after(34, 1 << 20)).as("given up").isNull();
  }

  @Test
  void snapshotOfManyChunksIsReadAnywhere() throws IOException {
    append(3, 10);
    byte[] state = new byte[5_000_000];
    new Random(1).nextBytes(state);
    try (SnapshotSink sink = log.newSnapshot(log.last())) {
      for (int from = 0; from < state.length; from += 70_001) {
        sink.write(state, from, Math.min(70_001, state.length - from));
      }
      assertThat(log.latestSnapshot()).isNull();
      sink.commit();
    }
    try (StoredSnapshot snapshot = latest()) {
      snapshot(append(1, 1).get(0), new byte[1]);
      assertThat(snapshot.length()).isEqualTo(state.length);
      assertThat(snapshot.read(0, 6_000_000)).isEqualTo(state);
      assertThat(snapshot.read(1_048_570, 20))
          .isEqualTo(Arrays.copyOfRange(state, 1_048_570, 1_048_590));
      assertThat(snapshot.read(5_000_000, 10)).isEmpty();
      assertThatThrownBy(() -> snapshot.read(5_000_001, 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void truncationGoesBackAtMostToTheSnapshot() throws IOException {
    List<Decision> added = append(6, 10);
    snapshot(added.get(2), new byte[0]);
    log.truncateAfter(9);
    assertThat(log.last()).isEqualTo(added.get(5));
    SnapshotSink late = log.newSnapshot(added.get(4));
    log.truncateAfter(3);
    assertThat(log.last()).isEqualTo(added.get(3));
    assertThat(log.after(2, 100)).isEqualTo(added.subList(3, 4));
    assertThatThrownBy(late::commit).isInstanceOf(IllegalStateException.class);
    late.close();
    log.truncateAfter(2);
    assertThat(log.last()).isEqualTo(added.get(2));
    assertThatThrownBy(() -> log.truncateAfter(1)).isInstanceOf(IllegalArgumentException.class);
    append(2, 5);
    assertThat(log.last().instance()).isEqualTo(4);
  }

  @Test
  void startingOverReplacesEverythingOnceCommitted() throws IOException {
    append(6, 10);
    Decision foreign = History.after(Decision.NONE, 20, 5, 99).get(19);
    try (SnapshotSink abandoned = log.startOver(foreign)) {
      abandoned.write(new byte[1], 0, 1);
    }
    assertThat(log.last().instance()).isEqualTo(5);
    try (SnapshotSink sink = log.startOver(foreign)) {
      sink.write(new byte[] {1, 2}, 0, 2);
      sink.commit();
    }
    assertThat(log.last()).isEqualTo(foreign);
    assertThat(log.after(5, 100)).isNull();
    assertThat(log.after(19, 100)).isEmpty();
    assertThat(log.chainAfter(19)).isEqualTo(foreign.chain());
    append(1, 1);
    assertThat(log.after(19, 100)).hasSize(1);
  }

  @Test
  void everythingIsDurableAtOnce() {
    List<String> ran = new ArrayList<>();
    append(1, 1);
    log.whenDurable(() -> ran.add("now"));
    assertThat(ran).containsExactly("now");
  }
}
