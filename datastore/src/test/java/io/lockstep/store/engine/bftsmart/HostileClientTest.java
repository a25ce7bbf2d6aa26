package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.codec.Request;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Limits;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that were admitted and then misbehave lose their connection, and only that. */
@Timeout(60)
class HostileClientTest {
  private static final int MAX_QUEUED_BYTES = 1 << 20;
  private static final int SCANNED_BYTES = 32 * 8192;
  private static final int MOST_SCANS = 20_000;
  private static final long PAUSE_NANOS = 2_000_000;
  private static final int HOSTILE = 66;
  private static final int PATIENCE_MILLIS = 60_000;
  private static final byte[] HELLO = RawClient.frame(Handshake.ofClient("a", 0));
  private static final Command.Increment PLUS_ONE = new Command.Increment("t", Bytes.utf8("n"), 1);

  private final LogLines lines = new LogLines();
  private final List<Member> members = ReplicaPorts.members(1);
  private final SoloStore store =
      new SoloStore(
          ReplicaConfig.of("a", 0, members)
              .with(Limits.usual().withMaxQueuedBytes(MAX_QUEUED_BYTES)));
  private final BatchingStoreClient other =
      BatchingStoreClient.open(
          BftSmartClient.connect(
              new ClientConfig("a", members, 3, 1024, 1 << 20, 500, PATIENCE_MILLIS)),
          new ClientOptions(
              "other", PATIENCE_MILLIS, PATIENCE_MILLIS, 1 << 16, Map.of("t", TableSpec.values())),
          System::nanoTime,
          System::nanoTime);
  private long counted;

  HostileClientTest() throws IOException {}

  @AfterEach
  void close() {
    other.close();
    store.close();
    lines.close();
  }

  /** Soon: nothing that somebody else does holds it up. */
  private Reply ended(Command command) throws Exception {
    return other.submit(command).get(20, TimeUnit.SECONDS);
  }

  private void othersGoOn() throws Exception {
    assertThat(ended(PLUS_ONE))
        .isInstanceOfSatisfying(
            Reply.Counter.class, counter -> assertThat(counter.value()).isEqualTo(++counted));
  }

  private RawClient admitted(RawClient client) throws IOException {
    assertThat(client.greeting()).isEqualTo(Handshake.toClient("a", 0));
    return client;
  }

  @Test
  void tooLargeAFrameClosesOnlyItsConnection() throws Exception {
    int most = Limits.usual().maxRequestBytes() + ClientConnection.HEADER_BYTES;
    othersGoOn();
    try (RawClient hostile = admitted(RawClient.dial(members.get(0).port(), HELLO));
        RawClient good = admitted(RawClient.dial(members.get(0).port(), HELLO))) {
      hostile.out.write(RawClient.request(HOSTILE, 1, 10, new byte[] {1}));
      assertThat(hostile.frame()).as("the answer to a request").isNotEmpty();
      hostile.out.writeInt(most + 1);
      hostile.out.write(new byte[64]);
      assertThat(hostile.ended()).isTrue();
      assertThat(lines.containing("replica 0 closes the connection of client"))
          .singleElement()
          .asString()
          .contains("WARN")
          .contains("a frame of " + (most + 1) + " bytes, at most " + most);
      for (int i = 0; i < 50; i++) {
        othersGoOn();
      }
      byte[] largest = new byte[most - ClientConnection.HEADER_BYTES];
      good.out.write(RawClient.request(HOSTILE + 1, 1, 10, largest));
      assertThat(good.frame()).as("the answer to the largest request").isNotEmpty();
    }
    assertThat(lines.containing("store-client-3")).as("the other client noticed nothing").isEmpty();
  }

  @Test
  void clientThatDoesNotReadLosesItsConnectionAndHoldsUpNobody() throws Exception {
    othersGoOn();
    for (int i = 0; i < 32; i++) {
      Bytes value = Bytes.wrap(new byte[SCANNED_BYTES / 32]);
      assertThat(ended(new Command.Put("t", Bytes.utf8("row" + i), value)))
          .isInstanceOf(Reply.Applied.class);
    }
    try (RawClient deaf = admitted(RawClient.dialNarrow(members.get(0).port(), HELLO))) {
      CompletableFuture<Integer> scans = CompletableFuture.supplyAsync(() -> scanUntilClosed(deaf));
      while (!scans.isDone()) {
        othersGoOn();
      }
      assertThat(scans.join()).as("scans before it was closed").isLessThan(MOST_SCANS);
    }
    for (int i = 0; i < 50; i++) {
      othersGoOn();
    }
    assertThat(lines.containing("replica 0 closes the connection of client"))
        .singleElement()
        .asString()
        .contains("bytes of replies unread");
    assertThat(store.mostUnreadBytes())
        .as("unread replies in memory")
        .isBetween((long) SCANNED_BYTES, (long) MAX_QUEUED_BYTES);
  }

  @Test
  void followerThatDoesNotReadHoldsUpNobodyAndGetsTheNewestHintLater() throws Exception {
    othersGoOn();
    byte[] follow = RawClient.frame(FollowFrame.of(List.of("t")));
    try (RawClient deaf = admitted(RawClient.dialNarrow(members.get(0).port(), HELLO));
        RawClient reader = admitted(RawClient.dial(members.get(0).port(), HELLO))) {
      deaf.out.write(follow);
      reader.out.write(follow);
      assertThat(reader.hint()).as("the acknowledgement").isEqualTo(new HintFrame(0));
      for (int i = 0; i < 2_000; i++) {
        othersGoOn();
      }
      long newest = newestHint(reader, 0);
      othersGoOn();
      assertThat(reader.hint().index()).as("after one more write").isGreaterThan(newest);
      assertThat(newestHint(deaf, newest)).isGreaterThan(newest);
    }
  }

  /** Reads hints until one is above this index, or until none has come for a while. */
  private static long newestHint(RawClient client, long above) throws IOException {
    long newest = -1;
    do {
      newest = client.hint().index();
    } while (above > 0 ? newest <= above : client.hasMore());
    return newest;
  }

  @Test
  void tablesThatAreNoneCloseOnlyTheirConnection() throws Exception {
    othersGoOn();
    byte[] longer = new byte[FollowFrame.MAX_BYTES + 1];
    Arrays.fill(longer, 0, 4, (byte) 0xff);
    for (byte[] garbage : List.of(new byte[] {-1, -1, -1, -1, 9, 1, 1, 'a'}, longer)) {
      try (RawClient hostile = admitted(RawClient.dial(members.get(0).port(), HELLO))) {
        hostile.out.writeInt(garbage.length);
        hostile.out.write(garbage);
        assertThat(hostile.ended()).isTrue();
      }
    }
    try (RawClient fickle = admitted(RawClient.dial(members.get(0).port(), HELLO))) {
      for (int i = 0; i < 100; i++) {
        fickle.out.write(RawClient.frame(FollowFrame.of(List.of("t" + i))));
      }
      fickle.awaitEnd();
    } catch (IOException closedWhileItWrote) {
      assertThat(closedWhileItWrote).isNotNull();
    }
    lines.await("times tables to follow");
    othersGoOn();
  }

  @Test
  void moreFollowersThanFindRoomGetNoHintsAndNoHarm() throws Exception {
    byte[] follow = RawClient.frame(FollowFrame.of(List.of("t")));
    List<RawClient> all = new ArrayList<>();
    try {
      for (int i = 0; i < ClientPort.MAX_FOLLOWING; i++) {
        RawClient one = admitted(RawClient.dial(members.get(0).port(), HELLO));
        all.add(one);
        one.out.write(follow);
        assertThat(one.hint()).isEqualTo(new HintFrame(0));
      }
      RawClient last = admitted(RawClient.dial(members.get(0).port(), HELLO));
      all.add(last);
      last.out.write(follow);
      last.out.write(RawClient.request(HOSTILE, 1, 10, new byte[] {1}));
      assertThat(last.frame()).as("the answer to the request, and no hint").hasSizeGreaterThan(20);
      othersGoOn();
    } finally {
      for (RawClient one : all) {
        one.close();
      }
    }
  }

  /** Asks and never reads; returns how often until the replica closed the connection. */
  private int scanUntilClosed(RawClient deaf) {
    Command scan = new Command.Scan("t", Bytes.utf8("row"), null, 100);
    long session = other.session().sessionId();
    for (int i = 0; i < MOST_SCANS; i++) {
      Request request =
          new Request(session, 0, List.of(new Request.Operation((1L << 40) + i, scan)));
      try {
        deaf.out.write(RawClient.request(HOSTILE, 1, 10 + i, RequestEncoder.encode(request)));
        // All of them would fit into the sockets' buffers before the first one is answered.
        LockSupport.parkNanos(PAUSE_NANOS);
      } catch (IOException closed) {
        return i;
      }
    }
    return MOST_SCANS;
  }
}
