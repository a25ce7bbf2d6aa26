package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.CodecException;
import io.lockstep.store.codec.Request;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.codec.Response;
import io.lockstep.store.codec.ResponseDecoder;
import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.engine.SnapshotBytes;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Exactly-once, sessions, time, bounds and micro components. */
class StoreStateMachineTest {
  private static final Command INCREMENT = new Command.Increment("t", Bytes.utf8("k"), 1);

  private final Replica replica = new Replica().declare("t");
  private final long session = replica.open(3_000);

  @Test
  void retriedOperationGetsItsRecordedReply() {
    Response first = replica.send(session, 0, 5, INCREMENT, INCREMENT);
    long index = replica.machine.index();
    assertThat(replica.send(session, 0, 5, INCREMENT, INCREMENT)).isEqualTo(first);
    assertThat(replica.machine.index()).isEqualTo(index);
    assertThat(first.replies())
        .containsExactly(new Reply.Counter(1, index - 1), new Reply.Counter(2, index));
  }

  /** Four gigabytes, were they bytes before they are sent. */
  @Test
  void repliesOfABatchBecomeBytesOnlyWhereTheyAreSent() {
    Bytes value = Bytes.wrap(new byte[Limits.VALUE_BYTES]);
    replica.run(session, new Command.Put("t", Bytes.utf8("k"), value));
    Request.Operation get = new Request.Operation(9_000, new Command.Get("t", Bytes.utf8("k")));
    byte[] request = RequestEncoder.encode(new Request(session, 0, List.of(get)));
    List<OrderedReply> replies =
        replica.machine.apply(0, replica.nowMillis, Collections.nCopies(4_096, request));
    assertThat(replies).noneMatch(OrderedReply::isDropped);
    Response last = ResponseDecoder.decode(replies.get(4_095).bytes());
    assertThat(last.replies())
        .singleElement()
        .isInstanceOfSatisfying(
            Reply.Found.class, found -> assertThat(found.value()).isEqualTo(value));
  }

  @Test
  void lateCopyBelowAcknowledgedIsNotApplied() {
    replica.send(session, 0, 5, INCREMENT);
    replica.send(session, 6, 6, INCREMENT);
    assertThat(replica.send(session, 0, 5, INCREMENT).replies())
        .singleElement()
        .isInstanceOf(Reply.Unknown.class);
    assertThat(counter()).isEqualTo(2);
  }

  @Test
  void operationThatWasGivenUpBeforeItArrivedIsNotApplied() {
    replica.send(session, 10, 10, INCREMENT);
    assertThat(replica.send(session, 0, 4, INCREMENT).replies())
        .singleElement()
        .isInstanceOf(Reply.Unknown.class);
    assertThat(counter()).isEqualTo(1);
  }

  @Test
  void unacknowledgedOperationsAreBounded() {
    int bound = Limits.UNACKNOWLEDGED_OPERATIONS;
    replica.send(session, 1, bound, INCREMENT);
    assertThat(replica.send(session, 1, bound + 1, INCREMENT).replies())
        .singleElement()
        .isInstanceOf(Reply.Rejected.class);
    assertThat(replica.send(session, 2, bound + 1, INCREMENT).replies())
        .containsExactly(new Reply.Counter(2, replica.machine.index()));
  }

  @Test
  void operationsWithoutSessionAreRejected() {
    assertThat(replica.send(0, 0, 1, INCREMENT).replies())
        .singleElement()
        .matches(StoreStateMachineTest::isSessionEnded);
    Response unknown = replica.send(session + (1000L << 16), 0, 1, INCREMENT);
    assertThat(unknown.status()).isEqualTo(Response.Status.SESSION_ENDED);
    assertThat(unknown.replies()).singleElement().matches(StoreStateMachineTest::isSessionEnded);
  }

  @Test
  void openSessionIsRecognisedByItsNonce() {
    Reply first = replica.open(77, "n1", 500);
    assertThat(replica.open(77, "n1", 500)).isEqualTo(first);
    assertThat(replica.open(77, "n2", 500)).isInstanceOf(Reply.Rejected.class);
    replica.pass(700);
    assertThat(replica.open(77, "n1", 500)).matches(StoreStateMachineTest::isSessionEnded);
    assertThat(replica.open(78, "n1", 500)).isNotEqualTo(first);
  }

  @Test
  void sessionTableShowsOpenSessions() {
    Bytes key = Counters.bytesOf(session);
    Command scan = new Command.Scan("sys.sessions", Bytes.empty(), null, 10);
    assertThat(((Reply.Entries) replica.run(session, scan)).entries())
        .singleElement()
        .matches(e -> e.key().equals(key) && e.value().equals(Bytes.utf8("owner")));
    assertThat(replica.run(session, new Command.Remove("sys.sessions", key)))
        .isInstanceOf(Reply.Rejected.class);
    assertThat(replica.put(session, "sys.other", "k", "v")).isInstanceOf(Reply.Rejected.class);
  }

  @Test
  void silentSessionExpiresByAnOperationOfItsOwn() {
    long watcher = replica.open(600_000);
    long before = replica.machine.index();
    replica.pass(3_000);
    assertThat(replica.machine.index()).isEqualTo(before);
    replica.pass(1);
    assertThat(replica.machine.index()).isEqualTo(before + 1);
    Reply changes =
        replica.run(watcher, new Command.ReadChanges(List.of("sys.sessions"), before, 10));
    assertThat(changes)
        .isEqualTo(
            new Reply.Changes(
                List.of(new Change(before + 1, "sys.sessions", Counters.bytesOf(session), null)),
                before + 2));
    assertThat(replica.run(session, INCREMENT)).matches(StoreStateMachineTest::isSessionEnded);
  }

  @Test
  void anyRequestIsASignOfLife() {
    for (int i = 0; i < 5; i++) {
      replica.pass(2_900);
      assertThat(replica.send(session, 0, 1).status()).isEqualTo(Response.Status.OK);
      replica.pass(2_900);
      assertThat(replica.run(session, new Command.KeepAlive())).isInstanceOf(Reply.Applied.class);
      replica.pass(2_900);
      assertThat(replica.run(session, INCREMENT)).isInstanceOf(Reply.Counter.class);
    }
  }

  @Test
  void lossOfQuorumDoesNotExpireSessions() {
    replica.nowMillis += 3_600_000;
    replica.machine.apply(1, replica.nowMillis, List.of());
    assertThat(replica.machine.timeMillis()).isEqualTo(1_000_500);
    assertThat(replica.run(session, INCREMENT)).isInstanceOf(Reply.Counter.class);
  }

  @Test
  void timeNeverGoesBackAndFollowsANewLeadersClock() {
    replica.machine.apply(1, 1_000_200, List.of());
    replica.machine.apply(2, 900_000, List.of());
    assertThat(replica.machine.timeMillis()).isEqualTo(1_000_200);
    replica.machine.apply(3, 900_050, List.of());
    assertThat(replica.machine.timeMillis()).isEqualTo(1_000_250);
    replica.machine.apply(4, Long.MAX_VALUE, List.of());
    replica.machine.apply(5, Long.MIN_VALUE, List.of());
    replica.machine.apply(6, Long.MAX_VALUE, List.of());
    assertThat(replica.machine.timeMillis()).isEqualTo(1_001_250);
  }

  @Test
  void closedSessionStillAnswersCopiesOfWhatItDid() {
    long witness = replica.open(3_000);
    Response applied = replica.send(session, 0, 1, INCREMENT);
    assertThat(replica.run(witness, new Command.CloseSession(session)))
        .isInstanceOf(Reply.Applied.class);
    assertThat(replica.run(witness, new Command.CloseSession(session)))
        .isEqualTo(new Reply.Absent());
    Response again = replica.send(session, 0, 1, INCREMENT, INCREMENT);
    assertThat(again.status()).isEqualTo(Response.Status.SESSION_ENDED);
    assertThat(again.replies().get(0)).isEqualTo(applied.replies().get(0));
    assertThat(again.replies().get(1)).matches(StoreStateMachineTest::isSessionEnded);
  }

  @Test
  void copyThatComesAfterTheRecordsAreGoneIsUnknown() {
    long witness = replica.open(600_000);
    replica.send(session, 0, 1, INCREMENT);
    replica.run(witness, new Command.CloseSession(session));
    replica.pass(Sessions.REMEMBERED_MILLIS + 100);
    assertThat(replica.send(session, 0, 1, INCREMENT).replies())
        .singleElement()
        .isInstanceOf(Reply.Unknown.class);
  }

  @Test
  void requestRestsOnItsBatchUnlessItOnlyReads() {
    Command get = new Command.Get("t", Bytes.utf8("k"));
    replica.put(session, "t", "k", "v");
    long written = replica.machine.index();
    assertThat(replica.ordered(session, get, get).restsOn()).isEqualTo(written);
    assertThat(replica.ordered(session, get, INCREMENT).restsOn())
        .isEqualTo(OrderedReply.ITS_BATCH);
    assertThat(replica.ordered(session).restsOn())
        .as("a bare sign of life")
        .isEqualTo(OrderedReply.ITS_BATCH);
    assertThat(replica.ordered(session + 1, get).restsOn())
        .as("without a session")
        .isEqualTo(OrderedReply.ITS_BATCH);
  }

  @Test
  void malformedRequestIsAnsweredAndChangesNothing() {
    byte[] good =
        RequestEncoder.encode(
            new Request(session, 0, List.of(new Request.Operation(1, INCREMENT))));
    byte[] cut = Arrays.copyOf(good, good.length - 1);
    List<OrderedReply> replies =
        replica.machine.apply(1, replica.nowMillis, List.of(cut, new byte[0], good));
    assertThat(ResponseDecoder.decode(replies.get(0).bytes()).status())
        .isEqualTo(Response.Status.MALFORMED);
    assertThat(ResponseDecoder.decode(replies.get(1).bytes()).status())
        .isEqualTo(Response.Status.MALFORMED);
    assertThat(ResponseDecoder.decode(replies.get(2).bytes()).replies())
        .containsExactly(new Reply.Counter(1, replica.machine.index()));
  }

  @Test
  void requestOfANewerVersionIsAnsweredByName() {
    byte[] newer =
        RequestEncoder.encode(
            new Request(session, 0, List.of(new Request.Operation(1, INCREMENT))));
    newer[0] = 2;
    List<OrderedReply> replies = replica.machine.apply(1, replica.nowMillis, List.of(newer));
    assertThat(ResponseDecoder.decode(replies.get(0).bytes()))
        .isEqualTo(
            new Response(
                Response.Status.MALFORMED,
                "at byte 0: expected a request of version 1, found version 2, which is newer",
                List.of()));
    assertThat(counter()).isZero();
  }

  @Test
  void outOfBoundsIsRejectedAndChangesNothing() {
    Bytes key = Bytes.utf8("k");
    Bytes longKey = Bytes.wrap(new byte[Limits.KEY_BYTES + 1]);
    Bytes longValue = Bytes.wrap(new byte[Limits.VALUE_BYTES + 1]);
    Bytes longEnd = Bytes.wrap(new byte[Limits.KEY_BYTES + 2]);
    String table = "not the name of a table (1 to 64 of a-z, 0-9, dot and dash; a letter first): ";
    Map<Command, String> messages = new LinkedHashMap<>();
    messages.put(new Command.Put("", key, key), table + "\"\"");
    messages.put(new Command.Put("9t", key, key), table + "\"9t\"");
    messages.put(new Command.Put("t_t", key, key), table + "\"t_t\"");
    messages.put(new Command.Put("a".repeat(65), key, key), table + '"' + "a".repeat(64) + "...\"");
    messages.put(new Command.Get("T", key), table + "\"T\"");
    messages.put(
        new Command.Call("NoName", key), table.replace("table", "component") + "\"NoName\"");
    messages.put(new Command.Put("t", longKey, key), "a key is at most 1024 bytes, not 1025");
    messages.put(
        new Command.Put("t", key, longValue), "a value is at most 1048576 bytes, not 1048577");
    messages.put(
        new Command.Call("c", longValue), "an argument is at most 1048576 bytes, not 1048577");
    messages.put(new Command.Scan("t", key, null, 0), "a limit is 1 to 10000, not 0");
    messages.put(new Command.Scan("t", key, null, 10_001), "a limit is 1 to 10000, not 10001");
    messages.put(
        new Command.Scan("t", key, longEnd, 1),
        "the end of a range is at most 1025 bytes, not 1026");
    messages.put(
        new Command.Scan("t", longEnd, key, 1),
        "the end of a range is at most 1025 bytes, not 1026");
    messages.put(
        new Command.ReadChanges(List.of(), 0, 1), "changes are read of 1 to 64 tables, not 0");
    messages.put(
        new Command.ReadChanges(Collections.nCopies(65, "t"), 0, 1),
        "changes are read of 1 to 64 tables, not 65");
    messages.put(new Command.ReadChanges(List.of("t"), -1, 1), "an index is 0 or more, not -1");
    messages.put(new Command.OpenSession(9, "o", 1000), "a session cannot open another");
    messages.forEach(
        (command, message) ->
            assertThat(replica.run(session, command))
                .as(command.toString())
                .isEqualTo(outOfBounds(message)));
    assertThat(replica.open(901, "o", 499))
        .isEqualTo(outOfBounds("a time to live is 500 to 600000 ms, not 499"));
    assertThat(replica.open(902, "o", 600_001))
        .isEqualTo(outOfBounds("a time to live is 500 to 600000 ms, not 600001"));
    assertThat(replica.open(903, "\u00e4".repeat(65), 500))
        .isEqualTo(outOfBounds("an owner is at most 128 bytes, not 130"));
    assertThat(replica.get(session, "t", "k")).isEqualTo(new Reply.Absent());
  }

  private static Reply outOfBounds(String message) {
    return new Reply.Rejected(Reply.Reason.OUT_OF_BOUNDS, message);
  }

  @Test
  void garbledSnapshotLeavesTheStateAsItWas() {
    replica.put(session, "t", "k", "v");
    byte[] snapshot = SnapshotBytes.of(replica.machine);
    assertThatThrownBy(() -> SnapshotBytes.restore(replica.machine, new byte[] {9}))
        .isInstanceOf(CodecException.class);
    assertThat(SnapshotBytes.of(replica.machine)).isEqualTo(snapshot);
  }

  @Test
  void componentsOfOneNameAreRefused() {
    MicroComponent component = component("swap", (transaction, argument) -> argument);
    assertThatThrownBy(() -> new StoreStateMachine(List.of(component, component)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("swap");
  }

  private long counter() {
    return ((Reply.Counter) replica.run(session, new Command.Increment("t", Bytes.utf8("k"), 0)))
        .value();
  }

  static boolean isSessionEnded(Reply reply) {
    return reply instanceof Reply.Rejected rejected
        && rejected.reason() == Reply.Reason.SESSION_ENDED;
  }

  interface Body {
    Bytes call(Transaction transaction, Bytes argument) throws MicroComponent.Refusal;
  }

  static MicroComponent component(String name, Body body) {
    return new MicroComponent() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
        return body.call(transaction, argument);
      }
    };
  }
}
