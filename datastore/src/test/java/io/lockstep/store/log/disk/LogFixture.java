package io.lockstep.store.log.disk;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.History;
import io.lockstep.store.log.SnapshotSink;
import io.lockstep.store.log.StoredSnapshot;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Small logs for tests, and what tests do with them again and again. */
final class LogFixture {
  static final Identity OWNER = new Identity("test", 1);

  private LogFixture() {}

  /** Segments of 2 KiB, 512 bytes in memory. */
  static DiskLogOptions small(long seed) {
    return new DiskLogOptions(2048, 1024, 1024, 4096, 512, 1 << 16, new Random(seed)::nextLong);
  }

  /** Steps that wait until the test runs them. */
  static final class Steps {
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    final List<LogFailure> failures = new ArrayList<>();

    DiskLog open(Storage storage, DiskLogOptions options) throws IOException {
      return DiskLog.openStepped(storage, OWNER, options, failures::add, waiting::add);
    }

    void run() {
      Runnable step;
      while ((step = waiting.poll()) != null) {
        step.run();
      }
    }

    void forget() {
      waiting.clear();
    }
  }

  static void append(DecisionLog log, List<Decision> decisions) throws IOException {
    for (Decision decision : decisions) {
      log.append(decision);
    }
  }

  /** The state that the simulated service has after a decision. */
  static byte[] stateAfter(Decision at) {
    byte[] state = new byte[(int) (at.instance() % 7) * 300 + 10];
    new Random(at.instance()).nextBytes(state);
    System.arraycopy(at.chain(), 0, state, 0, 8);
    return state;
  }

  static void snapshot(SnapshotSink sink, Decision at) throws IOException {
    try (sink) {
      byte[] state = stateAfter(at);
      for (int from = 0; from < state.length; from += 400) {
        sink.write(state, from, Math.min(400, state.length - from));
      }
      sink.commit();
    }
  }

  static @Nullable Decision snapshotAt(DecisionLog log) throws IOException {
    try (StoredSnapshot snapshot = log.latestSnapshot()) {
      if (snapshot == null) {
        return null;
      }
      byte[] state = snapshot.read(0, 1 << 20);
      if (!Arrays.equals(state, stateAfter(snapshot.at()))) {
        throw new AssertionError("the snapshot is not the state at " + snapshot.at().instance());
      }
      return snapshot.at();
    }
  }

  static List<Decision> all(DecisionLog log, long after) throws IOException {
    List<Decision> all = new ArrayList<>();
    long last = after;
    while (last < log.last().instance()) {
      List<Decision> some = Objects.requireNonNull(log.after(last, 300), "after " + last);
      all.addAll(some);
      last = some.get(some.size() - 1).instance();
    }
    return all;
  }

  /** Everything a log says of itself, to compare. */
  static String contents(DecisionLog log) throws IOException {
    Decision at = snapshotAt(log);
    long from = at == null ? -1 : at.instance();
    return log.joined()
        + " "
        + log.regency()
        + " "
        + History.text(log.last())
        + " "
        + (at == null ? "" : History.text(at))
        + History.texts(all(log, from));
  }
}
