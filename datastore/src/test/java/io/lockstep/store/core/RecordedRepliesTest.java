package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.Request;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.codec.Response;
import io.lockstep.store.codec.ResponseWeight;
import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.engine.Rules;
import io.lockstep.store.engine.SnapshotBytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Replies that are kept for retries share what they may take, over all sessions. */
class RecordedRepliesTest {
  /** Its replies may take 1 MiB. */
  private static final Rules RULES = new Rules(2, 8);

  private static final Command INCREMENT = new Command.Increment("t", Bytes.utf8("n"), 1);

  /** Counts its calls and returns as many bytes as it is told. */
  private static final MicroComponent RETURN =
      StoreStateMachineTest.component(
          "return",
          (transaction, argument) -> {
            transaction.increment("t", Bytes.utf8("calls"), 1);
            return Bytes.wrap(new byte[(int) Counters.valueOf(entry(argument))]);
          });

  private static io.lockstep.store.Entry entry(Bytes value) {
    return new io.lockstep.store.Entry(Bytes.empty(), value, 1);
  }

  private final Replica replica = new Replica(RETURN).declare("t");

  RecordedRepliesTest() {
    replica.machine.adopt(RULES);
  }

  private static Command returning(int bytes) {
    return new Command.Call("return", Counters.bytesOf(bytes));
  }

  private Reply call(long session, long id, int bytes) {
    return replica.send(session, 0, id, returning(bytes)).replies().get(0);
  }

  private static boolean hasNoRoom(Reply reply) {
    return reply instanceof Reply.Rejected refused && refused.reason() == Reason.NO_ROOM;
  }

  private long counter(String key) {
    long reader = replica.open(600_000);
    Reply reply = replica.get(reader, "t", key);
    replica.run(reader, new Command.CloseSession(reader));
    return reply instanceof Reply.Found found ? Counters.valueOf(entry(found.value())) : 0;
  }

  /** How many replies of 10 000 bytes a session gets recorded. */
  private int hog(long session) {
    int recorded = 0;
    while (!hasNoRoom(call(session, recorded, 10_000))) {
      recorded++;
    }
    return recorded;
  }

  @Test
  void allSessionsTogetherStayWithinTheBound() {
    int recorded = 0;
    for (int i = 0; i < 40; i++) {
      recorded += hog(replica.open(600_000));
    }
    assertThat(recorded).isBetween(90, 104);
  }

  @Test
  void oneThatHoldsMostLeavesRoomForOthers() {
    assertThat(hog(replica.open(600_000))).isBetween(45, 55);
    assertThat(hog(replica.open(600_000))).isBetween(20, 30);
    assertThat(call(replica.open(600_000), 1, 50_000)).isInstanceOf(Reply.Returned.class);
  }

  @Test
  void whereAllIsTakenEverySessionStillGoesOnStepByStep() {
    for (int i = 0; i < 60; i++) {
      long hog = replica.open(600_000);
      for (long id = 0; !hasNoRoom(replica.send(hog, 0, id, INCREMENT).replies().get(0)); id++) {
        if (id == 0) {
          hog(hog);
        }
      }
    }
    long late = replica.open(600_000);
    for (long id = 1; id < 50; id++) {
      assertThat(replica.send(late, id, id, INCREMENT).replies())
          .singleElement()
          .isInstanceOf(Reply.Counter.class);
    }
  }

  @Test
  void acknowledgingMakesRoom() {
    long session = replica.open(600_000);
    int recorded = hog(session);
    assertThat(replica.send(session, recorded, recorded + 1, returning(10_000)).replies())
        .singleElement()
        .isInstanceOf(Reply.Returned.class);
  }

  @Test
  void whatWasRefusedChangesNothingAndIsNeverAppliedLater() {
    long session = replica.open(600_000);
    int recorded = hog(session);
    // The copy comes when there is room again.
    Reply copy = replica.send(session, recorded, recorded, returning(10_000)).replies().get(0);
    assertThat(hasNoRoom(copy)).isTrue();
    assertThat(counter("calls")).isEqualTo(recorded);
    Reply later = replica.send(session, recorded, recorded + 1, returning(10)).replies().get(0);
    assertThat(later).isInstanceOf(Reply.Returned.class);
  }

  @Test
  void recordedReplyIsStillGivenAtTheBound() {
    long session = replica.open(600_000);
    hog(session);
    assertThat(call(session, 0, 10_000)).isInstanceOf(Reply.Returned.class);
  }

  @Test
  void sessionsThatEndedGiveWayToOpenOnes() {
    List<Long> ended = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      long session = replica.open(600_000);
      hog(session);
      replica.send(session, 0, 100_000, new Command.KeepAlive());
      replica.run(replica.open(600_000), new Command.CloseSession(session));
      ended.add(session);
    }
    assertThat(hog(replica.open(600_000))).isBetween(45, 55);
    // What was recorded of the oldest is not known any more, and that is what is said.
    assertThat(call(ended.get(0), 0, 10_000)).isInstanceOf(Reply.Unknown.class);
  }

  /** A request can name one operation as often as there are places in it. */
  @Test
  void recordsOfASessionThatEndedAreRepeatedWithinTheBoundOfARequest() {
    replica.machine.adopt(new Rules(2, 1_000));
    long session = replica.open(600_000);
    Reply recorded = call(session, 7, 1 << 20);
    replica.run(replica.open(600_000), new Command.CloseSession(session));
    Request.Operation copy = new Request.Operation(7, returning(1 << 20));
    Response response =
        replica.machine.apply(
            replica.nowMillis, new Request(session, 0, Collections.nCopies(1_000, copy)));
    assertThat(response.status()).isEqualTo(Response.Status.SESSION_ENDED);
    assertThat(response.replies()).hasSize(1_000).startsWith(recorded);
    assertThat(response.replies().get(999)).isInstanceOf(Reply.Unknown.class);
    assertThat(ResponseWeight.of(response)).isLessThan(2L * Limits.REQUEST_REPLY_BYTES);
  }

  @Test
  void endingASessionGoesOnWhereItHoldsAllItMay() {
    long session = replica.open(600_000);
    int recorded = hog(session);
    Reply closed =
        replica
            .send(session, recorded + 1, recorded + 1, new Command.CloseSession(session))
            .replies()
            .get(0);
    assertThat(closed).isInstanceOf(Reply.Applied.class);
  }

  @Test
  void repliesToOneRequestAreBoundedAndTheRestIsNotCarriedOut() {
    replica.machine.adopt(new Rules(2, 1_000));
    long session = replica.open(600_000);
    Command[] calls = Collections.nCopies(20, returning(1 << 20)).toArray(Command[]::new);
    Response response = replica.send(session, 0, 0, calls);
    assertThat(ResponseWeight.of(response)).isLessThan(Limits.REQUEST_REPLY_BYTES + 20_000);
    long done = response.replies().stream().filter(Reply.Returned.class::isInstance).count();
    assertThat(done).isEqualTo(3);
    assertThat(response.replies().subList(3, 20))
        .allMatch(
            reply ->
                reply instanceof Reply.Rejected refused
                    && refused.reason() == Reason.REPLIES_TOO_LONG);
    assertThat(counter("calls")).isEqualTo(3);
    // A late copy says the same and does nothing.
    assertThat(replica.send(session, 0, 0, calls)).isEqualTo(response);
    assertThat(counter("calls")).isEqualTo(3);
  }

  @Test
  void readsBesideAWriteAreBoundedToo() {
    long session = replica.open(600_000);
    replica.machine.adopt(new Rules(2, 1_000));
    replica.run(session, new Command.Put("t", Bytes.utf8("k"), Bytes.wrap(new byte[1 << 20])));
    List<Command> commands = new ArrayList<>();
    commands.add(INCREMENT);
    commands.addAll(Collections.nCopies(1_000, new Command.Get("t", Bytes.utf8("k"))));
    Response response = replica.send(session, 0, 50_000, commands.toArray(Command[]::new));
    assertThat(ResponseWeight.of(response)).isLessThan(8L << 20);
    assertThat(response.replies().get(1)).isInstanceOf(Reply.Found.class);
  }

  /** One batch has many requests; what they made in memory is dropped where it is too much. */
  @Test
  void repliesToOneBatchAreDroppedBeyondTheirBound() {
    replica.machine.adopt(new Rules(2, 1_000));
    long session = replica.open(600_000);
    List<byte[]> requests = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      Command query = new Command.GetColumns("rows", Bytes.utf8("k"), List.of());
      requests.add(
          RequestEncoder.encode(
              new Request(session, 0, List.of(new Request.Operation(90 + i, query)))));
    }
    replica.declare(session, "rows", TableSpec.columns());
    replica.run(
        session,
        new Command.PutColumns(
            "rows", Bytes.utf8("k"), Row.of(Map.of("c", Bytes.wrap(new byte[(1 << 20) - 100])))));
    List<OrderedReply> replies = replica.machine.apply(5, replica.nowMillis, requests);
    assertThat(replies).hasSize(60);
    assertThat(replies.stream().filter(reply -> !reply.isDropped()).count()).isBetween(14L, 16L);
  }

  @Property(tries = 100)
  void restoredReplicaRefusesTheSame(@ForAll long seed) {
    Random random = new Random(seed);
    Replica first = new Replica(RETURN).declare("t");
    first.machine.adopt(new Rules(2, 1));
    List<Long> sessions = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      sessions.add(first.open(600_000));
    }
    Replica second = new Replica(RETURN);
    SnapshotBytes.restore(second.machine, SnapshotBytes.of(first.machine));
    for (int i = 0; i < 200; i++) {
      if (random.nextInt(15) == 0) {
        SnapshotBytes.restore(second.machine, SnapshotBytes.of(first.machine));
      }
      long session = sessions.get(random.nextInt(sessions.size()));
      long id = Math.max(0, i - random.nextInt(6));
      Command command =
          random.nextInt(25) == 0
              ? new Command.CloseSession(sessions.get(random.nextInt(sessions.size())))
              : returning(random.nextInt(random.nextBoolean() ? 100 : 40_000));
      long acknowledged = random.nextInt(4) == 0 ? Math.max(0, i - random.nextInt(60)) : 0;
      Response response = first.send(session, acknowledged, id, command, INCREMENT);
      assertThat(second.send(session, acknowledged, id, command, INCREMENT)).isEqualTo(response);
    }
    assertThat(SnapshotBytes.of(second.machine)).isEqualTo(SnapshotBytes.of(first.machine));
  }
}
