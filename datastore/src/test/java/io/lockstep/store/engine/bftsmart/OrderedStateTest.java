package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import io.lockstep.store.engine.LeaderClock;
import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.SnapshotBytes;
import io.lockstep.store.engine.StateSnapshot;
import io.lockstep.store.engine.bftsmart.OrderedState.Begun;
import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import io.lockstep.store.log.MemoryLog;
import io.lockstep.store.log.SnapshotSink;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(IsolatedLibrary.class)
class OrderedStateTest {
  private static final LeaderClock CLOCK = new LeaderClock(() -> 0, () -> 0);

  private final List<String> replied = new ArrayList<>();
  private final RecordingService service = new RecordingService();
  private final MemoryLog log = new MemoryLog(MemoryLog.Bounds.STANDARD);
  private final OrderedState state =
      new OrderedState(
          service,
          log,
          CLOCK,
          (decision, regency, requests, replies) ->
              replied.add(decision.instance() + "@" + regency + ":" + replies.size()));

  static byte[] batch(int... ids) {
    byte[][] requests = new byte[ids.length][];
    int size = 20;
    for (int i = 0; i < ids.length; i++) {
      requests[i] =
          TOMMessage.messageToBytes(
              new TOMMessage(
                  ids[i] < 0 ? ids[i] : 5,
                  1,
                  Math.abs(ids[i]),
                  0,
                  ByteBuffer.allocate(4).putInt(ids[i]).array(),
                  0,
                  TOMMessageType.ORDERED_REQUEST));
      size += 4 + requests[i].length;
    }
    ByteBuffer batch = ByteBuffer.allocate(size).putLong(1234).putInt(0).putInt(ids.length);
    for (byte[] request : requests) {
      batch.putInt(request.length).put(request);
    }
    return batch.array();
  }

  private void decide(int regency, int... ids) throws Exception {
    Decision decision = LoggedDecision.append(log, regency, batch(ids));
    state.apply(decision, null, true);
  }

  private void snapshot() throws Exception {
    Begun begun = state.beginSnapshot();
    byte[] bytes = SnapshotBytes.rest(begun.snapshot(), 100);
    try (SnapshotSink sink = log.newSnapshot(begun.at())) {
      sink.write(bytes, 0, bytes.length);
      sink.commit();
    }
  }

  @Test
  void hazard3NoopsMoveTheInstanceButDoNotReachTheService() throws Exception {
    decide(0, -1);
    decide(0, 7, -1, 8);
    assertThat(state.applied()).isEqualTo(1);
    assertThat(service.digest()).startsWith("2 ");
    assertThat(replied).containsExactly("1@0:2");
  }

  @Test
  void hazard3GapIsAnErrorNotASkip() throws Exception {
    decide(0, 1);
    Decision later = new Decision(2, 0, new byte[32], batch(2));
    assertThatThrownBy(() -> state.apply(later, null, true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("instance 2 decided after 0");
  }

  @Test
  void lastRepliesAreGivenAgainForANewRegencyOnceItHasADecision() throws Exception {
    decide(0, 1);
    decide(0, 2);
    decide(3, -1);
    decide(3, 4);
    assertThat(replied).containsExactly("0@0:1", "1@0:1", "1@3:1", "3@3:1");
  }

  @Test
  void whatWasLearnedFromAnEarlierRegencyIsNotVouchedForUntilALaterDecision() throws Exception {
    decide(0, 1);
    state.apply(LoggedDecision.append(log, 0, batch(2)), null, false);
    assertThat(replied).containsExactly("0@0:1");
    assertThat(service.digest()).startsWith("2 ");
  }

  @Test
  void stateIsMadeAnewFromTheSnapshotAndTheDecisionsAfterIt() throws Exception {
    decide(0, 1);
    decide(0, 2);
    snapshot();
    decide(0, 3);
    String two = service.digest();
    decide(0, 4);
    log.truncateAfter(2);
    replied.clear();
    state.rebuild();
    assertThat(state.applied()).isEqualTo(2);
    assertThat(service.digest()).isEqualTo(two);
    assertThat(replied).isEmpty();
    decide(1, 5);
    assertThat(service.digest()).startsWith("4 ");
  }

  @Test
  void oldStateIsGivenUpBeforeTheSnapshotIsRead() throws Exception {
    List<String> calls = new ArrayList<>();
    RecordingService fresh = new RecordingService();
    OrderedService watched =
        new OrderedService() {
          @Override
          public List<OrderedReply> apply(long instance, long timeMillis, List<byte[]> requests) {
            return fresh.apply(instance, timeMillis, requests);
          }

          @Override
          public int requestVersion() {
            return 1;
          }

          @Override
          public long index() {
            return fresh.index();
          }

          @Override
          public OptionalLong lastTimeMillis() {
            return fresh.lastTimeMillis();
          }

          @Override
          public StateSnapshot snapshot() {
            return fresh.snapshot();
          }

          @Override
          public void reset() {
            calls.add("reset of " + fresh.digest().charAt(0));
            fresh.reset();
          }

          @Override
          public void restore(InputStream in) throws IOException {
            calls.add("restore into " + fresh.digest().charAt(0));
            fresh.restore(in);
          }
        };
    decide(0, 1);
    decide(0, 2);
    snapshot();
    decide(0, 3);
    OrderedState anew =
        new OrderedState(watched, log, CLOCK, (decision, regency, requests, replies) -> {});
    assertThat(anew.rebuild()).isEqualTo(batch(3).length);
    assertThat(anew.rebuild()).isEqualTo(batch(3).length);
    assertThat(calls)
        .containsExactly("reset of 0", "restore into 0", "reset of 3", "restore into 0");
    assertThat(fresh.digest()).startsWith("3 ");
  }

  @Test
  void withoutASnapshotItIsMadeAnewFromTheBeginning() throws Exception {
    decide(0, 1);
    String one = service.digest();
    decide(0, 2);
    log.truncateAfter(0);
    state.rebuild();
    assertThat(service.digest()).isEqualTo(one);
    log.truncateAfter(-1);
    state.rebuild();
    assertThat(state.applied()).isEqualTo(-1);
    assertThat(service.digest()).startsWith("0 ");
  }

  @Test
  void logAheadOfTheStateIsAppliedWithoutReplies() throws Exception {
    for (int i = 0; i < 5; i++) {
      LoggedDecision.append(log, 0, batch(i));
    }
    state.catchUp();
    assertThat(state.applied()).isEqualTo(4);
    assertThat(service.digest()).startsWith("5 ");
    assertThat(replied).isEmpty();
  }

  @Test
  void whatRestsOnDurableChangesIsAnsweredAtOnceAndTheRestWithItsDecision() throws Exception {
    ArrayDeque<Runnable> disk = new ArrayDeque<>();
    ScriptedMemory memory = ScriptedMemory.onDisk(1, new Random(1));
    DecisionLog log = memory.open(disk::add, failure -> {});
    List<String> told = new ArrayList<>();
    OrderedState state =
        new OrderedState(
            new WritesAndReads(),
            log,
            CLOCK,
            (decision, regency, requests, replies) ->
                replies.forEach(
                    reply ->
                        told.add(decision.instance() + "@" + regency + ":" + reply.bytes()[0])));
    ThrowingConsumer<int[]> decide =
        regencyAndIds -> {
          int[] ids = Arrays.copyOfRange(regencyAndIds, 1, regencyAndIds.length);
          int regency = regencyAndIds[0];
          state.apply(LoggedDecision.append(log, regency, batch(ids)), null, true);
        };
    decide.accept(new int[] {0, 1});
    flush(disk);
    assertThat(told).containsExactly("0@0:1");
    // 100 reads what the first write wrote, 101 what the second wrote, and so on.
    decide.accept(new int[] {0, 2, 100});
    decide.accept(new int[] {0, 100, 101, 3});
    assertThat(told).containsExactly("0@0:1", "1@0:100", "2@0:100");
    flush(disk);
    assertThat(told.subList(3, told.size())).containsExactly("1@0:2", "2@0:101", "2@0:3");
    // What is durable is of an earlier regency: nothing leaves early.
    told.clear();
    decide.accept(new int[] {3, 100});
    assertThat(told).isEmpty();
    flush(disk);
    assertThat(told).contains("3@3:100");
    decide.accept(new int[] {3, 102});
    assertThat(told).endsWith("4@3:102");
    log.close();
  }

  private static void flush(ArrayDeque<Runnable> disk) {
    Runnable step;
    while ((step = disk.poll()) != null) {
      step.run();
    }
  }

  /** A request below 100 writes; one from 100 on reads what the n-th write wrote. */
  private static final class WritesAndReads implements OrderedService {
    private long writes;

    @Override
    public List<OrderedReply> apply(long instance, long timeMillis, List<byte[]> requests) {
      List<OrderedReply> replies = new ArrayList<>();
      for (byte[] request : requests) {
        int id = ByteBuffer.wrap(request).getInt();
        byte[] reply = {(byte) id};
        writes += id < 100 ? 1 : 0;
        replies.add(id < 100 ? OrderedReply.withItsBatch(reply) : new OrderedReply(reply, id - 99));
      }
      return replies;
    }

    @Override
    public int requestVersion() {
      return 1;
    }

    @Override
    public long index() {
      return writes;
    }

    @Override
    public OptionalLong lastTimeMillis() {
      return OptionalLong.empty();
    }

    @Override
    public StateSnapshot snapshot() {
      return SnapshotBytes.taken(new byte[0]);
    }

    @Override
    public void reset() {
      writes = 0;
    }

    @Override
    public void restore(InputStream in) {
      writes = 0;
    }
  }
}
