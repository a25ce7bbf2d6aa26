package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.LeaderClock;
import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.SnapshotBytes;
import io.lockstep.store.engine.StateSnapshot;
import io.lockstep.store.engine.bftsmart.OrderedState.Begun;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.MemoryLog;
import io.lockstep.store.log.SnapshotSink;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A replica that lags behind and one that serves it, joined by a queue of work. */
@ExtendWith(IsolatedLibrary.class)
class StateTransferTest {
  private static final MemoryLog.Bounds SHORT = new MemoryLog.Bounds(16, 1 << 20, 1 << 22);

  private interface Step {
    void run() throws IOException;
  }

  private final Deque<Step> work = new ArrayDeque<>();

  private static LeaderClock clock() {
    return new LeaderClock(() -> 0, () -> 0);
  }

  /** A state of a given size. */
  private static final class Bulk implements OrderedService {
    private byte[] bytes;

    Bulk(int size) {
      bytes = new byte[size];
      for (int i = 0; i < size; i++) {
        bytes[i] = (byte) (i * 31);
      }
    }

    @Override
    public List<OrderedReply> apply(long instance, long timeMillis, List<byte[]> requests) {
      return requests.stream().map(OrderedReply::withItsBatch).toList();
    }

    @Override
    public int requestVersion() {
      return 1;
    }

    @Override
    public long index() {
      return 0;
    }

    @Override
    public OptionalLong lastTimeMillis() {
      return OptionalLong.empty();
    }

    @Override
    public StateSnapshot snapshot() {
      return SnapshotBytes.taken(bytes.clone());
    }

    @Override
    public void reset() {
      bytes = new byte[0];
    }

    @Override
    public void restore(InputStream snapshot) throws IOException {
      bytes = snapshot.readAllBytes();
    }
  }

  /** The one that lags. */
  private final class Lagging implements StateTransfer.Host {
    final Bulk service = new Bulk(0);
    final MemoryLog log = new MemoryLog(SHORT);
    final OrderedState state = new OrderedState(service, log, clock(), (d, r, q, a) -> {});
    final StateTransfer transfer = new StateTransfer(log, this);
    final List<String> events = new ArrayList<>();
    boolean mayLearn = true;
    boolean recovering = true;

    void decide(int regency, int id) throws IOException {
      state.apply(LoggedDecision.append(log, regency, OrderedStateTest.batch(id)), null, true);
    }

    @Override
    public void send(int peer, PeerNote note) {
      work.add(() -> answer(note));
    }

    void received(PeerNote note) throws IOException {
      if (note instanceof PeerNote.SnapshotPiece) {
        events.add("piece");
      }
      transfer.handle(0, note, 0);
    }

    @Override
    public boolean recovering() {
      return recovering;
    }

    @Override
    public boolean mayLearn() {
      return mayLearn;
    }

    @Override
    public void learned(int peer, List<Decision> decisions) {
      decisions.forEach(decision -> state.apply(decision, null, false));
      events.add("learned " + decisions.size());
    }

    @Override
    public void differs(int peer, long instance, int regency) {
      events.add("differs at " + instance + " of regency " + regency);
    }

    @Override
    public void same() {
      events.add("same");
    }

    @Override
    public void inBackground(String what, BackgroundJobs.Job job, Runnable then) {
      work.add(
          () -> {
            job.run();
            then.run();
          });
    }

    @Override
    public void replaced(String how) {
      work.add(state::rebuild);
      events.add("replaced");
    }

    @Override
    public void outrun() {
      events.add("outrun");
    }
  }

  private final Bulk fullService = new Bulk(3_500_000);
  private final MemoryLog fullLog = new MemoryLog(SHORT);
  private final OrderedState fullState =
      new OrderedState(fullService, fullLog, clock(), (d, r, q, a) -> {});
  private final Lagging lagging = new Lagging();
  private int snapshots;

  private final StateTransferServer server =
      new StateTransferServer(
          fullLog,
          () -> work.add(this::snapshot),
          (peer, note) -> work.add(() -> lagging.received(note)),
          new BackgroundJobs("unused", why -> {}));

  private void answer(PeerNote note) throws IOException {
    if (note instanceof PeerNote.FetchTail fetch) {
      server.serve(2, fetch);
    } else if (note instanceof PeerNote.FetchSnapshot fetch) {
      server.serve(2, fetch);
    } else if (note instanceof PeerNote.Compare compare) {
      server.serve(2, compare);
    }
  }

  private void snapshot() throws IOException {
    snapshots++;
    Begun begun = fullState.beginSnapshot();
    byte[] bytes = SnapshotBytes.rest(begun.snapshot(), 1 << 20);
    try (SnapshotSink sink = fullLog.newSnapshot(begun.at())) {
      sink.write(bytes, 0, bytes.length);
      sink.commit();
    }
  }

  private void decide(int regency, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      Decision decision = LoggedDecision.append(fullLog, regency, OrderedStateTest.batch(i));
      fullState.apply(decision, null, true);
    }
  }

  private void run() throws IOException {
    while (!work.isEmpty()) {
      work.remove().run();
    }
  }

  private void fetch(long nowMillis) throws IOException {
    lagging.transfer.fetch(0, nowMillis);
    run();
  }

  @Test
  void recentDecisionsAreLearned() throws Exception {
    decide(3, 0, 5);
    lagging.decide(3, 0);
    lagging.decide(3, 1);
    fetch(0);
    assertThat(lagging.events).containsExactly("learned 3");
    assertThat(lagging.log.last().chain()).isEqualTo(fullLog.last().chain());
    assertThat(lagging.log.last().regency()).isEqualTo(3);
    assertThat(lagging.state.applied()).isEqualTo(4);
  }

  @Test
  void whatTheLogNoLongerHasComesAsASnapshotMadeWhenAskedFor() throws Exception {
    decide(1, 0, 100);
    fetch(0);
    assertThat(snapshots).isEqualTo(1);
    assertThat(lagging.events).isEmpty();
    fetch(1_000);
    assertThat(lagging.events).containsExactly("piece", "piece", "piece", "piece", "replaced");
    assertThat(lagging.state.applied()).isEqualTo(99);
    assertThat(lagging.log.last().chain()).isEqualTo(fullLog.last().chain());
    assertThat(lagging.service.bytes).isEqualTo(fullService.bytes);
    decide(1, 100, 103);
    fetch(2_000);
    assertThat(lagging.events).endsWith("learned 3");
  }

  @Test
  void snapshotFromWhichTheLogNoLongerGoesOnIsNotOffered() throws Exception {
    decide(1, 0, 20);
    snapshot();
    decide(1, 20, 100);
    fetch(0);
    assertThat(snapshots).isEqualTo(2);
  }

  @Test
  void lostPieceIsAskedForAgain() throws Exception {
    decide(1, 0, 100);
    snapshot();
    lagging.transfer.fetch(0, 0);
    while (lagging.events.size() < 2) {
      work.remove().run();
    }
    work.remove().run();
    work.clear();
    fetch(100);
    assertThat(lagging.events).hasSize(2);
    fetch(5_000);
    assertThat(lagging.events).endsWith("replaced");
    assertThat(lagging.service.bytes).isEqualTo(fullService.bytes);
  }

  @Test
  void replicaThatTakesPartIsNotReplaced() throws Exception {
    decide(1, 0, 100);
    snapshot();
    lagging.recovering = false;
    fetch(0);
    assertThat(lagging.events).containsExactly("outrun");
  }

  @Test
  void peerWithAnotherHistorySaysInWhichRegencyItDecided() throws Exception {
    decide(4, 0, 5);
    lagging.decide(3, 77);
    fetch(0);
    assertThat(lagging.events).containsExactly("differs at 0 of regency 4");
    assertThat(lagging.state.applied()).isZero();
  }

  /** What comes with the answer is another history from instance 2 on. */
  @Test
  void fetchedDecisionsAreLearnedOnlyAsFarAsTheyContinueTheOwnHistory() throws Exception {
    decide(4, 0, 5);
    List<Decision> mixed = new ArrayList<>(Objects.requireNonNull(fullLog.after(-1, 1 << 20)));
    Decision other = mixed.get(2);
    byte[] chain = other.chain().clone();
    chain[0]++;
    mixed.set(2, new Decision(other.instance(), other.regency(), chain, other.value()));
    lagging.received(new PeerNote.Tail(mixed));
    assertThat(lagging.events).containsExactly("differs at 2 of regency 4", "learned 2");
    assertThat(lagging.log.last().instance()).isEqualTo(1);
    assertThat(lagging.state.applied()).isEqualTo(1);
  }

  @Test
  void whatThePeerHasDecidedOtherwiseIsTakenBack() throws Exception {
    decide(0, 0, 10);
    decide(2, 50, 54);
    for (int i = 0; i < 10; i++) {
      lagging.decide(0, i);
    }
    lagging.decide(1, 77);
    lagging.decide(1, 78);
    lagging.transfer.dropDiffering(0, 0);
    run();
    assertThat(lagging.events).containsExactly("replaced");
    assertThat(lagging.log.last().instance()).isEqualTo(9);
    assertThat(lagging.state.applied()).isEqualTo(9);
    fetch(1_000);
    assertThat(lagging.log.last().chain()).isEqualTo(fullLog.last().chain());
  }

  @Test
  void nothingInCommonMeansAWholeSnapshot() throws Exception {
    decide(2, 0, 100);
    snapshot();
    lagging.decide(1, 77);
    try (SnapshotSink sink = lagging.log.newSnapshot(lagging.log.last())) {
      sink.commit();
    }
    lagging.transfer.dropDiffering(0, 0);
    run();
    assertThat(lagging.events).endsWith("replaced");
    assertThat(lagging.log.last().chain()).isEqualTo(fullLog.last().chain());
    assertThat(lagging.state.applied()).isEqualTo(99);
  }

  @Test
  void nothingIsLearnedWhileDecisionsWaitForDelivery() throws Exception {
    decide(0, 0, 5);
    lagging.mayLearn = false;
    fetch(0);
    assertThat(lagging.events).isEmpty();
    lagging.mayLearn = true;
    fetch(500);
    assertThat(lagging.events).containsExactly("learned 5");
  }

  @Test
  void oneQuestionAtATime() throws Exception {
    decide(0, 0, 5);
    lagging.transfer.fetch(0, 0);
    lagging.transfer.fetch(0, 100);
    assertThat(work).hasSize(1);
    lagging.transfer.fetch(0, 500);
    assertThat(work).hasSize(2);
  }
}
