package io.lockstep.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.cluster.ClusterComponents;
import io.lockstep.core.cluster.ListedProcess;
import io.lockstep.core.cluster.ListedProcess.Kind;
import io.lockstep.core.cluster.Member;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import io.lockstep.store.typed.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplacementOfferTest {
  private final StoreStateMachine machine = new StoreStateMachine(List.of());
  private final LocalEngine engine = LocalEngine.start(machine);
  private final BatchingStoreClient client =
      BatchingStoreClient.open(
          engine.connect(16),
          ClientOptions.of("test")
              .withTimeToLiveMillis(600_000)
              .withTables(ClusterComponents.tables()),
          System::nanoTime,
          () -> 1L);
  private final ReplacementOffer offer = offer("n1");

  private ReplacementOffer offer(String self) {
    List<Member> members = new ArrayList<>();
    List<ListedProcess> processes = new ArrayList<>();
    for (String id : List.of("n1", "n2", "n3")) {
      members.add(new Member(id, "10.0.0." + id.charAt(1), 7102));
      processes.add(new ListedProcess(Kind.NODE, id, "10.0.0." + id.charAt(1), 7102));
      processes.add(new ListedProcess(Kind.REPLICA, id, "10.0.0." + id.charAt(1), 7100));
    }
    NodeConfig config = new NodeConfig("c", self, members, List.of(), 0, "", processes);
    return new ReplacementOffer(Store.sharing(client, client.loop()), config, most -> 6);
  }

  @AfterEach
  void close() throws Exception {
    client.close();
    engine.close();
  }

  private static ResourceAnswer get(CompletableFuture<ResourceAnswer> asked) throws Exception {
    return asked.get(30, TimeUnit.SECONDS);
  }

  private static ResourceValues host(String host) {
    return ResourceValues.builder().text("host", host).build();
  }

  private ResourceResult change(ResourceChange change) throws Exception {
    return ((ResourceAnswer.Changed) get(offer.change(change))).result();
  }

  private ResourceItem item(String id) throws Exception {
    return ((ResourceAnswer.Items) get(offer.show(id))).items().get(0);
  }

  @Test
  void machineIsReplacedAndTheStateNamesIt() throws Exception {
    assertThat(change(new ResourceChange.Add("n3", host("10.0.0.9"))))
        .isInstanceOf(ResourceResult.Done.class);
    ResourceItem item = item("n3");
    assertThat(item.fields().text("host")).isEqualTo("10.0.0.9");
    assertThat(item.fields().whole("storePort")).isEqualTo(7100);
    assertThat(item.state().whole("incarnation")).isEqualTo(7);
    assertThat(item.state().flag("arrived")).isFalse();
    assertThat(machine.machines().incarnation(2)).isEqualTo(7);
    assertThat(((ResourceAnswer.Items) get(offer.list())).items()).hasSize(1);
  }

  @Test
  void anotherOneWaitsUntilTheNewcomerIsThere() throws Exception {
    change(new ResourceChange.Add("n3", host("10.0.0.9")));
    assertThat(change(new ResourceChange.Add("n2", host("10.0.0.8"))))
        .isInstanceOfSatisfying(
            ResourceResult.Conflict.class,
            refused -> assertThat(refused.error()).contains("is being replaced by 10.0.0.9:7100"));
    long version = item("n3").version();
    assertThat(change(new ResourceChange.Set("n3", version + 1, host("10.0.0.8"))))
        .isInstanceOf(ResourceResult.Outdated.class);
    assertThat(change(new ResourceChange.Set("n3", version, host("10.0.0.8"))))
        .isInstanceOf(ResourceResult.Done.class);
    assertThat(machine.machines().incarnation(2)).isEqualTo(14);
  }

  @Test
  void whatIsNoReplicaOrTheNodeItselfIsRefused() throws Exception {
    assertThat(change(new ResourceChange.Add("n4", host("10.0.0.9"))))
        .isInstanceOf(ResourceResult.Invalid.class);
    assertThat(change(new ResourceChange.Add("n1", host("10.0.0.9"))))
        .isInstanceOf(ResourceResult.Conflict.class);
    assertThat(change(new ResourceChange.Set("n3", 4, host("10.0.0.9"))))
        .isInstanceOf(ResourceResult.Missing.class);
    change(new ResourceChange.Add("n3", host("10.0.0.9")));
    assertThat(change(new ResourceChange.Add("n3", host("10.0.0.9"))))
        .isInstanceOf(ResourceResult.Exists.class);
  }
}
