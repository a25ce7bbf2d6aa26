package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.engine.bftsmart.FakeReplica.Answer;
import io.lockstep.store.engine.bftsmart.FakeReplica.Script;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client and a replica that do not belong together, over real sockets: both say why. */
@Timeout(60)
class ClientRefusalTest {
  private static final Script ECHO = (sequence, request) -> new Answer(sequence, 1, request);
  private static final int NEWER = Handshake.VERSION + 1;
  private static final String RELEASE = ": run the same release everywhere";

  private final LogLines lines = new LogLines();

  @AfterEach
  void close() {
    lines.close();
  }

  /** A client that soon gives up. */
  private static BftSmartClient connect(String cluster, List<Member> members) {
    return connect(cluster, members, 1500);
  }

  private static BftSmartClient connect(String cluster, List<Member> members, int deadlineMillis) {
    return BftSmartClient.connect(
        new ClientConfig(cluster, members, 3, 4, 1000, 100, deadlineMillis));
  }

  private static String at(Member member) {
    return "replica " + member.id() + " at " + member.host() + ":" + member.port() + " ";
  }

  /** Waits until the reason is known: before, a request can only say that nobody agreed. */
  private void expectNoAgreement(BftSmartClient client, String found, String remedy) {
    lines.await(found);
    assertThatThrownBy(() -> client.submit(new byte[] {1}).get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(TimeoutException.class)
        .hasMessage("no agreement of replicas after 1500 ms: " + found + remedy);
  }

  @Test
  void otherClusterIsNamedAtBothEndsOnceAndNothingIsApplied() throws Exception {
    List<Member> members = ReplicaPorts.members(1);
    String found = at(members.get(0)) + "belongs to cluster 'a', this client to 'b'";
    try (SoloStore store = new SoloStore(ReplicaConfig.of("a", 0, members));
        BftSmartClient client = connect("b", members)) {
      expectNoAgreement(client, found, ": check the name of the cluster");
      assertThat(lines.containing(found)).as("in spite of several dials").hasSize(1);
      assertThat(lines.containing("replica 0 refuses client"))
          .singleElement()
          .asString()
          .contains(
              "it belongs to cluster 'b', this replica to 'a': check the name of the cluster");
      assertThat(store.requests()).isZero();
    }
  }

  @Test
  void operationsOfTheStoreNameTheReasonToo() throws Exception {
    List<Member> members = ReplicaPorts.members(1);
    ClientOptions options = new ClientOptions("stray", 3_000, 700, 16, Map.of());
    String found = at(members.get(0)) + "belongs to cluster 'a', this client to 'b'";
    try (SoloStore store = new SoloStore(ReplicaConfig.of("a", 0, members));
        BatchingStoreClient client =
            BatchingStoreClient.open(
                connect("b", members), options, System::nanoTime, System::nanoTime)) {
      // Only then is the reason known: before, an operation can only say that it was not sent.
      lines.await(found);
      Reply reply = client.submit(new Command.Get("t", Bytes.utf8("k"))).get(20, TimeUnit.SECONDS);
      assertThat(reply)
          .isEqualTo(
              new Reply.Rejected(
                  Reply.Reason.NOT_SENT,
                  "not sent within 700 ms: " + found + ": check the name of the cluster"));
      assertThat(store.requests()).isZero();
    }
  }

  @Test
  void clientOfAnotherVersionIsAnsweredWithOursAndNothingElse() throws Exception {
    List<Member> members = ReplicaPorts.members(1);
    try (SoloStore store = new SoloStore(ReplicaConfig.of("a", 0, members))) {
      Handshake newer = new Handshake(Handshake.CLIENT_LINK, NEWER, 0, "a", -1, 0);
      byte[] request = RawClient.request(7, 1, 10, new byte[] {1});
      // In one piece: none of it may be taken for a request, and there is one answer.
      byte[] said =
          ByteBufUtil.getBytes(
              Unpooled.wrappedBuffer(RawClient.frame(newer), RawClient.frame(newer), request));
      for (int dial = 0; dial < 3; dial++) {
        try (RawClient client = RawClient.dial(members.get(0).port(), said)) {
          assertThat(client.greeting()).isEqualTo(Handshake.toClient("a", 0));
          assertThat(client.ended()).isTrue();
        }
      }
      assertThat(lines.containing("replica 0 refuses client"))
          .singleElement()
          .asString()
          .contains("it speaks version 7 of the handshake, this replica version 6" + RELEASE);
      assertThat(store.requests()).isZero();
    }
  }

  @Test
  void strangerIsNotAnswered() throws Exception {
    List<Member> members = ReplicaPorts.members(1);
    byte[] forger = RawClient.frame(Handshake.ofClient("a\n12:00:00 all is well", 0));
    byte[] http = "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    byte[] noise = {0, 0, 0, 6, 1, 2, 3, 4, 5, 6};
    try (SoloStore store = new SoloStore(ReplicaConfig.of("a", 0, members))) {
      for (byte[] garbage : List.of(http, noise, forger)) {
        try (RawClient stranger = RawClient.dial(members.get(0).port(), garbage)) {
          assertThat(stranger.ended()).isTrue();
        }
      }
      assertThat(store.requests()).isZero();
    }
    assertThat(lines.containing("all is well")).isEmpty();
    assertThat(lines.containing("replica 0 refuses client"))
        .singleElement()
        .asString()
        .endsWith(": it is no client");
  }

  @Test
  void replicaOfAnotherVersionIsNamed() throws Exception {
    List<Member> members = ReplicaPorts.members(1);
    Handshake newer = new Handshake(Handshake.CLIENT_LINK, NEWER, 0, "a", 0, -1);
    try (FakeReplica replica = new FakeReplica(members.get(0), RawClient.frame(newer), ECHO);
        BftSmartClient client = connect("a", members)) {
      String found =
          at(members.get(0)) + "speaks version 7 of the handshake, this client version 6";
      expectNoAgreement(client, found, RELEASE);
      assertThat(lines.containing(found)).as("in spite of several dials").hasSize(1);
      assertThat(replica.seen).isEmpty();
    }
  }

  @Test
  void wrongReplicaAmongThreeHurtsNobody() throws Exception {
    List<Member> members = ReplicaPorts.members(3);
    byte[] noise = new byte[100_000];
    Arrays.fill(noise, (byte) 0x7f);
    try (FakeReplica first = new FakeReplica(members.get(0), "a", ECHO);
        FakeReplica second = new FakeReplica(members.get(1), "a", ECHO)) {
      try (SoloStore other = new SoloStore(ReplicaConfig.of("other", 2, members))) {
        worksWith(members, "belongs to cluster 'other', this client to 'a'");
        assertThat(other.requests()).isZero();
      }
      try (FakeReplica noisy = new FakeReplica(members.get(2), noise, ECHO)) {
        worksWith(members, "is no replica: check its address");
        assertThat(noisy.seen).isEmpty();
      }
      assertThat(first.seen).hasSizeGreaterThanOrEqualTo(200);
      assertThat(second.seen).hasSizeGreaterThanOrEqualTo(200);
    }
  }

  private void worksWith(List<Member> members, String wrong) throws Exception {
    try (BftSmartClient client = connect("a", members, 60_000)) {
      lines.await(at(members.get(2)) + wrong);
      for (int i = 0; i < 100; i++) {
        byte[] request = {(byte) i};
        assertThat(client.submit(request).get(20, TimeUnit.SECONDS)).isEqualTo(request);
      }
    }
  }

  @Test
  void replicaThatBecomesTheRightOneIsUsed() throws Exception {
    List<Member> members = ReplicaPorts.members(1);
    try (BftSmartClient client = connect("a", members, 60_000)) {
      try (SoloStore wrong = new SoloStore(ReplicaConfig.of("b", 0, members))) {
        lines.await("belongs to cluster 'b', this client to 'a'");
        assertThat(wrong.requests()).isZero();
      }
      try (FakeReplica right = new FakeReplica(members.get(0), "a", ECHO)) {
        assertThat(client.submit(new byte[] {1}).get(20, TimeUnit.SECONDS)).containsExactly(1);
        assertThat(client.loop().submit(client::obstacle).get()).isEmpty();
        assertThat(right.seen).isNotEmpty();
      }
    }
  }
}
