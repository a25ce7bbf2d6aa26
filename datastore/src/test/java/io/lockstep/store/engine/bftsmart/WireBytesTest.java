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
import io.lockstep.store.codec.Response;
import io.lockstep.store.codec.ResponseEncoder;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The lengths of messages against bytes that pass a real connection. */
class WireBytesTest {
  private static final String CLUSTER = "wire";
  private static final int LEASE_MILLIS = 600_000;
  private static final Bytes KEY = Bytes.utf8("key");

  private final Relay relay;
  private final SoloStore store;
  private final BatchingStoreClient client;

  WireBytesTest() throws Exception {
    List<Member> ports = ReplicaPorts.members(3);
    Member replica = ports.get(0);
    Member dialled = new Member(replica.id(), replica.host(), ports.get(1).port());
    store = new SoloStore(ReplicaConfig.of(CLUSTER, replica.id(), List.of(replica)));
    relay = new Relay(dialled.port(), replica.port());
    client =
        BatchingStoreClient.open(
            BftSmartClient.connect(ClientConfig.of(CLUSTER, List.of(dialled), 5)),
            ClientOptions.of("counted")
                .withTimeToLiveMillis(LEASE_MILLIS)
                .withTables(Map.of("t", TableSpec.values())),
            System::nanoTime,
            System::nanoTime);
  }

  private void assertCounted(Command command) throws Exception {
    long there = relay.bytesThere();
    long back = relay.bytesBack();
    Reply reply = client.submit(command).get(20, TimeUnit.SECONDS);
    // Session and numbers of a young client: each of these is as long as any below 128.
    Request request = new Request(1, 1, List.of(new Request.Operation(1, command)));
    Response response = new Response(Response.Status.OK, "", List.of(reply));
    assertThat(relay.bytesThere() - there)
        .isEqualTo(WireBytes.ofRequest(RequestEncoder.encode(request).length));
    assertThat(relay.bytesBack() - back)
        .isEqualTo(WireBytes.ofReply(ResponseEncoder.encode(response).length));
  }

  @Test
  void countsWhatPassesTheConnection() throws Exception {
    try (store;
        relay;
        client) {
      client.submit(new Command.Put("t", KEY, KEY)).get(20, TimeUnit.SECONDS);
      assertCounted(new Command.Put("t", KEY, Bytes.utf8("a longer value")));
      assertCounted(new Command.Get("t", KEY));
      assertCounted(new Command.Get("t", Bytes.utf8("absent")));
    }
  }
}
