package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.LeaderClock;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.MemoryLog;
import io.lockstep.store.log.SnapshotSink;
import io.lockstep.store.log.StoredSnapshot;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which snapshots count as made. */
@ExtendWith(IsolatedLibrary.class)
class SnapshotMakerTest {
  private static final long EVERY_BYTES = 1000;

  private final List<String> halts = new ArrayList<>();
  private final MemoryLog memory = new MemoryLog(MemoryLog.Bounds.STANDARD);
  private boolean overtaken;
  private int commits;

  /** The log, whose snapshots a test can let be overtaken when they are committed. */
  private final DecisionLog log =
      (DecisionLog)
          Proxy.newProxyInstance(
              DecisionLog.class.getClassLoader(),
              new Class<?>[] {DecisionLog.class},
              (proxy, method, arguments) -> {
                try {
                  Object result = method.invoke(memory, arguments);
                  return method.getName().equals("newSnapshot")
                      ? watched((SnapshotSink) result)
                      : result;
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });

  private final OrderedState state =
      new OrderedState(
          new RecordingService(),
          log,
          new LeaderClock(() -> 0, () -> 0),
          (decision, regency, requests, replies) -> {});
  private final SnapshotMaker maker =
      new SnapshotMaker(state, log, EVERY_BYTES, new BackgroundJobs(Runnable::run, halts::add));

  private SnapshotSink watched(SnapshotSink sink) {
    return new SnapshotSink() {
      @Override
      public void write(byte[] bytes, int offset, int length) throws java.io.IOException {
        sink.write(bytes, offset, length);
      }

      @Override
      public void commit() throws java.io.IOException {
        commits++;
        if (overtaken) {
          throw new IllegalStateException("a cut was faster");
        }
        sink.commit();
      }

      @Override
      public void close() {
        sink.close();
      }
    };
  }

  private StoredSnapshot ofLength(long bytes) {
    Decision at = log.last();
    return new StoredSnapshot() {
      @Override
      public Decision at() {
        return at;
      }

      @Override
      public long length() {
        return bytes;
      }

      @Override
      public byte[] read(long offset, int most) {
        return new byte[0];
      }

      @Override
      public void close() {}
    };
  }

  private void decide() throws Exception {
    Decision decision = LoggedDecision.append(log, 0, OrderedStateTest.batch(7));
    state.apply(decision, null, true);
  }

  @Test
  void snapshotThatIsCommittedCounts() throws Exception {
    decide();
    maker.logged(EVERY_BYTES);
    assertThat(commits).isEqualTo(1);
    assertThat(maker.lastInstance()).isEqualTo(log.last().instance());
    assertThat(maker.loggedBytes()).isZero();
    assertThat(halts).isEmpty();
  }

  @Test
  void snapshotThatWasOvertakenDoesNot() throws Exception {
    decide();
    overtaken = true;
    maker.logged(EVERY_BYTES);
    assertThat(commits).isEqualTo(1);
    assertThat(maker.lastInstance()).isEqualTo(-1);
    assertThat(maker.loggedBytes()).isEqualTo(EVERY_BYTES);
    assertThat(log.latestSnapshot()).isNull();
    // The next decision asks for the next.
    overtaken = false;
    decide();
    maker.logged(1);
    assertThat(commits).isEqualTo(2);
    assertThat(maker.lastInstance()).isEqualTo(log.last().instance());
    assertThat(halts).isEmpty();
  }

  @Test
  void largeStatesAreWrittenLessOften() throws Exception {
    decide();
    maker.logged(EVERY_BYTES);
    assertThat(commits).isEqualTo(1);
    maker.found(ofLength(10 * EVERY_BYTES), 0);
    decide();
    maker.logged(5 * EVERY_BYTES - 1);
    assertThat(commits).isEqualTo(1);
    maker.logged(1);
    assertThat(commits).isEqualTo(2);
    // What it wrote, which is little, counts from now on.
    decide();
    maker.logged(EVERY_BYTES);
    assertThat(commits).isEqualTo(3);
  }
}
