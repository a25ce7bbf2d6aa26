package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.engine.bftsmart.FakeReplica.Answer;
import io.lockstep.store.engine.bftsmart.FakeReplica.Script;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.machine.ReplacedMachine;
import io.lockstep.store.machine.ReplacedMachines;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BftSmartClientTest {
  private static final String CLUSTER = "clients";
  private static final Script SILENT = (sequence, request) -> null;
  private static final Script ECHO = (sequence, request) -> new Answer(sequence, 1, request);

  private final FakeReplica[] replicas = new FakeReplica[3];
  private final List<Member> members;
  private final BftSmartClient client;

  BftSmartClientTest() throws IOException {
    members = ReplicaPorts.members(3);
    for (int id = 0; id < 3; id++) {
      replicas[id] = new FakeReplica(members.get(id), CLUSTER, SILENT);
    }
    client = connect(3, 60_000);
  }

  private BftSmartClient connect(int id, int deadlineMillis) {
    return BftSmartClient.connect(
        new ClientConfig(CLUSTER, members, id, 4, 1000, 100, deadlineMillis));
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    for (FakeReplica replica : replicas) {
      replica.close();
    }
  }

  private static void expectFailure(
      CompletableFuture<byte[]> result, Class<? extends Exception> type) {
    assertThatThrownBy(() -> result.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(type);
  }

  /** A client that soon gives up does so. */
  private void expectNoAgreement() {
    try (BftSmartClient hasty = connect(5, 1500)) {
      expectFailure(hasty.submit(new byte[] {7}), TimeoutException.class);
    }
  }

  @Test
  void hazard1TwoEqualRepliesSufficeWhileTheThirdReplicaIsDead() throws Exception {
    replicas[0].follow(ECHO);
    replicas[1].follow(ECHO);
    replicas[2].close();
    byte[] reply = client.submit(new byte[] {7}).get(20, TimeUnit.SECONDS);
    assertThat(reply).containsExactly(7);
  }

  /** A replica drops what it takes for ordered: see {@link OrderedWindow}. */
  @Test
  void requestsAreTakenAfterTheNumbersHaveBegunAnew() throws Exception {
    ClientConfig slowToRetry = new ClientConfig(CLUSTER, members, 4, 4, 1000, 2000, 60_000);
    try (BftSmartClient old = BftSmartClient.connect(slowToRetry, Integer.MAX_VALUE - 20)) {
      for (FakeReplica replica : replicas) {
        replica.follow(
            (sequence, request) -> request[0] == 0 ? null : ECHO.answer(sequence, request));
      }
      old.submit(new byte[] {1}).get(20, TimeUnit.SECONDS);
      // This is not answered before the numbers begin anew and the connections end.
      final CompletableFuture<byte[]> first = old.submit(new byte[] {0});
      for (byte i = 1; i <= 30; i++) {
        assertThat(old.submit(new byte[] {i}).get(20, TimeUnit.SECONDS)).containsExactly(i);
      }
      for (FakeReplica replica : replicas) {
        replica.disconnect();
        replica.follow(ECHO);
      }
      // It is sent again under one of the new numbers, after 16 s at the latest.
      assertThat(first.get(40, TimeUnit.SECONDS)).containsExactly(0);
      Map<Integer, IntSummaryStatistics> sessions =
          Stream.of(replicas)
              .flatMap(replica -> replica.seen.stream())
              .collect(
                  Collectors.groupingBy(
                      FakeReplica.Seen::session,
                      Collectors.summarizingInt(FakeReplica.Seen::sequence)));
      assertThat(sessions).hasSize(2);
      assertThat(sessions.values())
          .as("numbers of a session")
          .allMatch(numbers -> numbers.getMax() - numbers.getMin() < 1000);
    }
  }

  @Test
  void replyCompletesOnTheLoop() throws Exception {
    replicas[0].follow(ECHO);
    replicas[1].follow(ECHO);
    Thread loop = client.loop().submit(Thread::currentThread).get();
    CompletableFuture<Thread> completedOn =
        client.submit(new byte[] {7}).thenApply(reply -> Thread.currentThread());
    // A request that has been answered before the stage was added completes on this thread.
    assertThat(completedOn.get(20, TimeUnit.SECONDS)).isIn(loop, Thread.currentThread());
  }

  @Test
  void connectionThatIsBeingMadeToAReplacedMachineEnds() throws Exception {
    try (ServerSocket old = new ServerSocket(0, 16, InetAddress.getLoopbackAddress())) {
      Member before = new Member(2, "127.0.0.1", old.getLocalPort());
      List<Member> known = List.of(members.get(0), members.get(1), before);
      try (BftSmartClient moving =
              BftSmartClient.connect(new ClientConfig(CLUSTER, known, 9, 4, 1000, 100, 60_000));
          Socket dialled = old.accept()) {
        dialled.setSoTimeout(30_000);
        DataInputStream in = new DataInputStream(dialled.getInputStream());
        in.readFully(new byte[in.readInt()]);
        Member now = members.get(2);
        moving.moved(
            new ReplacedMachines(List.of(new ReplacedMachine(2, 1, now.host(), now.port(), true))));
        moving.loop().submit(() -> {}).get(30, TimeUnit.SECONDS);
        dialled.getOutputStream().write(RawClient.frame(Handshake.toClient(CLUSTER, 2)));
        assertThat(in.read()).as("the connection goes on").isEqualTo(-1);
        replicas[1].follow(ECHO);
        replicas[2].follow(ECHO);
        assertThat(moving.submit(new byte[] {7}).get(30, TimeUnit.SECONDS)).containsExactly(7);
      }
    }
  }

  @Test
  void oneReplyIsNotEnough() {
    replicas[0].follow(ECHO);
    expectNoAgreement();
  }

  @Test
  void equalBytesFromDifferentHistoriesAreNotEqual() {
    replicas[0].follow(ECHO);
    replicas[1].follow((sequence, request) -> new Answer(sequence, 2, request));
    replicas[2].follow((sequence, request) -> new Answer(sequence + 1L, 1, request));
    expectNoAgreement();
  }

  @Test
  void equalBytesFromDifferentRegenciesAreNotEqual() {
    replicas[0].follow(ECHO);
    replicas[1].follow((sequence, request) -> new Answer(1, sequence, 1, request));
    expectNoAgreement();
  }

  @Test
  void sameReplicaTwiceIsNotTwoReplicas() {
    replicas[0].sayTimes(2);
    replicas[0].follow(ECHO);
    expectNoAgreement();
  }

  @Test
  void hazard9LateReplyToAnEarlierAttemptCountsAndIsNotTakenForAnother() throws Exception {
    replicas[0].follow(ECHO);
    CompletableFuture<byte[]> first = client.submit(new byte[] {1});
    Await.until(Duration.ofSeconds(20), () -> "no retry", () -> replicas[1].seen.size() > 1);
    replicas[1].follow(ECHO);
    assertThat(first.get(20, TimeUnit.SECONDS)).containsExactly(1);
    assertThat(client.submit(new byte[] {2}).get(20, TimeUnit.SECONDS)).containsExactly(2);
  }

  @Test
  void retryHasANewSequenceAndTheSameBytes() {
    CompletableFuture<byte[]> unanswered = client.submit(new byte[] {5});
    List<FakeReplica.Seen> seen = replicas[0].seen;
    Await.until(Duration.ofSeconds(20), () -> "no retry", () -> seen.size() > 1);
    assertThat(unanswered).isNotDone();
    assertThat(seen).extracting(FakeReplica.Seen::sequence).doesNotHaveDuplicates();
    assertThat(seen).allSatisfy(one -> assertThat(one.request()).containsExactly(5));
    assertThat(seen.get(0).sequence()).as("hazard 2: 0 to 5 are never used").isGreaterThan(5);
  }

  @Test
  void requestsBeyondTheWindowAreRejectedAndNeverSent() throws Exception {
    List<CompletableFuture<byte[]>> within = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      within.add(client.submit(new byte[] {1}));
    }
    expectFailure(client.submit(new byte[] {9}), RejectedExecutionException.class);
    for (FakeReplica replica : replicas) {
      replica.follow(ECHO);
    }
    Await.until(
        Duration.ofSeconds(20),
        () -> "window stays full",
        () -> !client.submit(new byte[] {2}).isCompletedExceptionally());
    assertThat(within).allSatisfy(one -> assertThat(one.join()).containsExactly(1));
    assertThat(replicas[0].seen).noneMatch(one -> one.request()[0] == 9);
  }

  @Test
  void tooLargeARequestIsRejected() {
    expectFailure(client.submit(new byte[1001]), RejectedExecutionException.class);
  }

  @Test
  void closingLeavesTheOutcomeUnknownAndRejectsLaterRequests() {
    CompletableFuture<byte[]> open = client.submit(new byte[] {1});
    Await.until(Duration.ofSeconds(20), () -> "not sent", () -> !replicas[0].seen.isEmpty());
    client.close();
    expectFailure(open, TimeoutException.class);
    expectFailure(client.submit(new byte[] {1}), RejectedExecutionException.class);
  }
}
