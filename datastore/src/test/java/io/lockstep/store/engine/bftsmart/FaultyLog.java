package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.log.Chain;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.OwnStart;
import io.lockstep.store.log.Progress;
import io.lockstep.store.log.SnapshotSink;
import io.lockstep.store.log.Start;
import io.lockstep.store.log.StoredSnapshot;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A log that goes wrong in the ways that it is told to. Thread-safe as the log below it. */
final class FaultyLog implements DecisionLog {
  private final DecisionLog log;
  private volatile boolean diverges;
  private volatile boolean holds;
  private volatile @Nullable Decision heldAt;
  private volatile boolean hangs;

  FaultyLog(DecisionLog log) {
    this.log = log;
  }

  /** The next decision is kept as another one, as a damaged memory might. */
  void diverge() {
    diverges = true;
  }

  /** Whatever becomes durable from now on, nobody hears of it. */
  void holdReplies() {
    heldAt = log.durable();
    holds = true;
  }

  /** As a disk that no longer answers, with nothing more to be appended meanwhile. */
  void hang() {
    hangs = true;
  }

  @Override
  public void append(Decision decision) throws IOException {
    while (hangs) {
      LockSupport.park();
    }
    Decision last = log.last();
    if (diverges && last.instance() >= 0) {
      diverges = false;
      log.append(new Chain().next(last, decision.regency(), last.value()));
    } else {
      log.append(decision);
    }
  }

  @Override
  public void whenDurable(Runnable action) {
    if (!holds) {
      log.whenDurable(action);
    }
  }

  @Override
  public boolean joined() {
    return log.joined();
  }

  @Override
  public void markJoined() throws IOException {
    log.markJoined();
  }

  @Override
  public int regency() {
    return log.regency();
  }

  @Override
  public void promise(int regency) throws IOException {
    log.promise(regency);
  }

  @Override
  public Start start(int peer) {
    return log.start(peer);
  }

  @Override
  public void keepStart(int peer, Start start) throws IOException {
    log.keepStart(peer, start);
  }

  @Override
  public List<OwnStart> ownStarts() {
    return log.ownStarts();
  }

  @Override
  public void keepOwnStarts(List<OwnStart> starts) throws IOException {
    log.keepOwnStarts(starts);
  }

  @Override
  public void inForce(int version) throws IOException {
    log.inForce(version);
  }

  @Override
  public Progress progress() {
    return log.progress();
  }

  @Override
  public String place() {
    return log.place();
  }

  @Override
  public Decision last() {
    return log.last();
  }

  @Override
  public Decision durable() {
    Decision held = heldAt;
    return held == null ? log.durable() : held;
  }

  @Override
  public @Nullable List<Decision> after(long instance, int maxBytes) throws IOException {
    return log.after(instance, maxBytes);
  }

  @Override
  public byte @Nullable [] chainAfter(long instance) throws IOException {
    return log.chainAfter(instance);
  }

  @Override
  public SnapshotSink newSnapshot(Decision at) throws IOException {
    // The state machine's word on what was decided last is not the log's any more.
    byte[] kept = log.chainAfter(at.instance());
    return log.newSnapshot(
        new Decision(at.instance(), at.regency(), kept == null ? at.chain() : kept, at.value()));
  }

  @Override
  public @Nullable StoredSnapshot latestSnapshot() throws IOException {
    return log.latestSnapshot();
  }

  @Override
  public void truncateAfter(long instance) throws IOException {
    log.truncateAfter(instance);
  }

  @Override
  public SnapshotSink startOver(Decision at) throws IOException {
    return log.startOver(at);
  }

  @Override
  public void close() {
    log.close();
  }
}
