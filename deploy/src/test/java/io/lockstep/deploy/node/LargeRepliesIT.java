package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.testbed.NodeProcess;
import io.lockstep.deploy.testbed.ThreeReplicas;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.codec.Request;
import io.lockstep.store.codec.RequestEncoder;
import io.lockstep.store.codec.Response;
import io.lockstep.store.codec.ResponseDecoder;
import io.lockstep.store.core.Limits;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replies that together are larger than the heap of a replica, which is the default one: they are
 * made where they are sent, so they cost the replicas neither their lives nor their restart.
 */
class LargeRepliesIT {
  private static final int READERS = 300;
  private static final int DEADLINE_SECONDS = 120;
  private static final String TABLE = "test.large";
  private static final Bytes KEY = Bytes.utf8("k");
  private static final Bytes VALUE = Bytes.wrap(new byte[Limits.VALUE_BYTES]);
  private static final Command GET = new Command.Get(TABLE, KEY);

  @TempDir private Path directory;

  private static Reply ask(BatchingStoreClient client, Command command) throws Exception {
    return client.submit(command).get(DEADLINE_SECONDS, TimeUnit.SECONDS);
  }

  private static void assertHealthy(ThreeReplicas replicas) {
    for (NodeProcess replica : replicas.all()) {
      assertThat(replica.running()).as(replica.lastLines()).isTrue();
      assertThat(replica.logLines()).noneMatch(line -> line.contains("OutOfMemoryError"));
    }
  }

  private static void valueIsKept(ThreeReplicas replicas) throws Exception {
    try (BatchingStoreClient client = replicas.client(77, TABLE)) {
      assertThat(ask(client, GET))
          .isInstanceOfSatisfying(
              Reply.Found.class, kept -> assertThat(kept.value()).isEqualTo(VALUE));
    }
  }

  @Test
  void manyReadsOfTheLargestValueAtOnceHarmNoReplicaAndNoRestart() throws Exception {
    try (ThreeReplicas replicas = ThreeReplicas.start(directory)) {
      try (BatchingStoreClient client = replicas.client(77, TABLE)) {
        assertThat(ask(client, new Command.Put(TABLE, KEY, VALUE)))
            .isInstanceOf(Reply.Applied.class);
        List<CompletableFuture<Reply>> reads = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
          reads.add(client.submit(GET));
        }
        int found = 0;
        for (CompletableFuture<Reply> read : reads) {
          Reply reply = read.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
          // On a slow machine some may wait longer than the client does; none is answered wrongly.
          if (reply instanceof Reply.Found one) {
            assertThat(one.value()).isEqualTo(VALUE);
            found++;
          } else {
            assertThat(reply).isInstanceOfAny(Reply.Unknown.class, Reply.Rejected.class);
          }
        }
        assertThat(found).isPositive();
        System.out.println(found + " of " + READERS + " reads were answered in time");
      }
      assertHealthy(replicas);
      replicas.restartAll();
      valueIsKept(replicas);
    }
  }

  /** What a client sends that keeps to none of the bounds that ours keeps to. */
  private static byte[] request(long session, long firstId, Command... commands) {
    List<Request.Operation> operations = new ArrayList<>();
    for (Command command : commands) {
      operations.add(new Request.Operation(firstId + operations.size(), command));
    }
    return RequestEncoder.encode(new Request(session, 0, operations));
  }

  private static Response send(BftSmartClient client, byte[] request) throws Exception {
    return ResponseDecoder.decode(client.submit(request).get(DEADLINE_SECONDS, TimeUnit.SECONDS));
  }

  private static long open(BftSmartClient client, long nonce) throws Exception {
    Command open = new Command.OpenSession(nonce, "greedy", Limits.MAX_TIME_TO_LIVE_MILLIS);
    Reply reply = send(client, request(0, 0, open)).replies().get(0);
    assertThat(reply).isInstanceOf(Reply.SessionOpened.class);
    return ((Reply.SessionOpened) reply).sessionId();
  }

  /** Hundreds of requests find a place in one batch, and all replies to them one connection. */
  @Test
  void readsInRequestsOfTheirOwnHarmNoReplica() throws Exception {
    try (ThreeReplicas replicas = ThreeReplicas.start(directory)) {
      try (BatchingStoreClient client = replicas.client(77, TABLE);
          BftSmartClient greedy = replicas.engineClient(78)) {
        assertThat(ask(client, new Command.Put(TABLE, KEY, VALUE)))
            .isInstanceOf(Reply.Applied.class);
        long session = open(greedy, 1);
        List<CompletableFuture<byte[]>> reads = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
          reads.add(greedy.submit(request(session, i, GET)));
        }
        int found = 0;
        for (CompletableFuture<byte[]> read : reads) {
          try {
            Response response =
                ResponseDecoder.decode(read.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
            assertThat(response.replies()).singleElement().isInstanceOf(Reply.Found.class);
            found++;
          } catch (ExecutionException late) {
            assertThat(late).hasCauseInstanceOf(TimeoutException.class);
          }
        }
        System.out.println(found + " of " + READERS + " requests were answered in time");
        assertThat(found).isPositive();
      }
      assertHealthy(replicas);
      valueIsKept(replicas);
    }
  }

  /** A gigabyte, were it answered as it is asked. */
  @Test
  void recordThatIsAskedForAThousandTimesInOneRequestHarmsNoReplica() throws Exception {
    try (ThreeReplicas replicas = ThreeReplicas.start(directory)) {
      try (BatchingStoreClient client = replicas.client(77, TABLE);
          BftSmartClient greedy = replicas.engineClient(78)) {
        assertThat(ask(client, new Command.Put(TABLE, KEY, VALUE)))
            .isInstanceOf(Reply.Applied.class);
        long ended = open(greedy, 1);
        Command taken = new Command.PutIfAbsent(TABLE, KEY, KEY);
        Response recorded = send(greedy, request(ended, 7, taken));
        assertThat(recorded.replies()).singleElement().isInstanceOf(Reply.Conflict.class);
        byte[] copies =
            RequestEncoder.encode(
                new Request(
                    ended,
                    0,
                    Collections.nCopies(Request.MAX_OPERATIONS, new Request.Operation(7, taken))));
        assertThat(send(greedy, copies).replies()).startsWith(recorded.replies().get(0));
        send(greedy, request(open(greedy, 2), 0, new Command.CloseSession(ended)));
        Response afterwards = send(greedy, copies);
        assertThat(afterwards.status()).isEqualTo(Response.Status.SESSION_ENDED);
        assertThat(afterwards.replies()).startsWith(recorded.replies().get(0));
      }
      assertHealthy(replicas);
      valueIsKept(replicas);
    }
  }
}
