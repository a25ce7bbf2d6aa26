package io.lockstep.core.staticflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.flow.FlowCatalog;
import io.lockstep.core.flow.RoomRules;
import io.lockstep.core.flow.RuleTables;
import io.lockstep.core.node.CoreTables;
import io.lockstep.core.resource.CheckedFields;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.StoreFeed;
import io.lockstep.store.Bytes;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;

/** Static flows over a real store, without a master that installs them. */
class StaticFlowsTest {
  private static final long DEADLINE_SECONDS = 60;

  private final List<Throwable> fatal = new CopyOnWriteArrayList<>();
  private final LocalEngine engine = LocalEngine.start(new StoreStateMachine(List.of()));
  private final BatchingStoreClient store =
      BatchingStoreClient.open(
          engine.connect(16),
          ClientOptions.of("test").withTimeToLiveMillis(600_000).withTables(CoreTables.all()),
          System::nanoTime,
          () -> 1L);
  private final ControlLoop loop = new ControlLoop("control", (where, e) -> fatal.add(e));
  private final NodeState state = new NodeState(loop);
  private final StaticFlows flows =
      new StaticFlows(state, new RoomRules(new RuleTables(state)), store, loop::schedule);

  StaticFlowsTest() {
    loop.start();
    state.start(new StoreFeed(store, store.loop()));
  }

  @AfterEach
  void close() {
    state.close();
    loop.close();
    store.close();
    engine.close();
    assertThat(fatal).isEmpty();
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
  }

  private static ResourceValues fields(String dpid, int priority, String match, String action) {
    CheckedFields checked =
        CheckedFields.of(
            StaticFlowFields.DESCRIPTION,
            Map.of(
                "switch",
                dpid,
                "priority",
                priority,
                "match",
                List.of(match.split(",")),
                "actions",
                List.of(action)));
    return ((CheckedFields.Sound) checked).values();
  }

  private ResourceResult change(ResourceChange change) throws Exception {
    ResourceAnswer.Changed changed = (ResourceAnswer.Changed) get(flows.offer().change(change));
    get(changed.shown());
    return changed.result();
  }

  private long add(String id, ResourceValues fields) throws Exception {
    return ((ResourceResult.Done) change(new ResourceChange.Add(id, fields))).version();
  }

  private List<ResourceItem> shown(String id) throws Exception {
    return ((ResourceAnswer.Items) get(flows.offer().show(id))).items();
  }

  private List<FlowCatalog.KnownFlow> rules() {
    return flows.catalog().page(rule -> true, "", FlowCatalog.MAX_PAGE).flows();
  }

  @Test
  void aFlowIsARowAndAnIntendedRule() throws Exception {
    long version = add("web", fields("1f", 10, "in_port=1", "output:2"));
    ResourceItem item = shown("web").get(0);
    assertThat(item.version()).isEqualTo(version);
    assertThat(item.fields().text("switch")).isEqualTo("000000000000001f");
    assertThat(item.state().text("state")).isEqualTo("waiting");
    FlowCatalog.KnownFlow rule = rules().get(0);
    assertThat(rule.state()).isEqualTo(FlowEntryState.PENDING_ADD);
    assertThat(rule.rule().priority()).isEqualTo(10);
    assertThat(StaticFlows.isStatic(rule.rule())).isTrue();
    assertThat(flows.ids()).containsEntry(rule.rule().id().value(), "web");
  }

  @Test
  void theSameFlowAgainIsDoneAndAnotherOneOfItsIdIsRefused() throws Exception {
    long version = add("web", fields("1f", 10, "eth_type=0x800", "output:2"));
    assertThat(add("web", fields("0x1f", 10, "eth_type=2048", "output:2"))).isEqualTo(version);
    assertThat(
            change(new ResourceChange.Add("web", fields("1f", 10, "eth_type=0x800", "output:3"))))
        .isEqualTo(new ResourceResult.Exists(version));
    assertThat(rules()).hasSize(1);
  }

  @Test
  void aChangedMatchLeavesTheOldRuleAndGetsANewOneAtOnce() throws Exception {
    long version = add("web", fields("1f", 10, "in_port=1", "output:2"));
    ResourceResult changed =
        change(new ResourceChange.Set("web", version, fields("1f", 10, "in_port=2", "output:2")));
    assertThat(changed).isInstanceOf(ResourceResult.Done.class);
    assertThat(rules())
        .extracting(FlowCatalog.KnownFlow::state)
        .containsExactlyInAnyOrder(FlowEntryState.PENDING_REMOVE, FlowEntryState.PENDING_ADD);
    assertThat(
            change(
                new ResourceChange.Set("web", version, fields("1f", 1, "in_port=1", "output:2"))))
        .isInstanceOf(ResourceResult.Outdated.class);
  }

  @Test
  void otherActionsKeepTheRule() throws Exception {
    long version = add("web", fields("1f", 10, "in_port=1", "output:2"));
    change(new ResourceChange.Set("web", version, fields("1f", 10, "in_port=1", "output:3")));
    assertThat(rules()).hasSize(1);
  }

  @Test
  void aRemovedFlowLeavesTheRequestToRemoveItsRule() throws Exception {
    long version = add("web", fields("1f", 10, "in_port=1", "output:2"));
    assertThat(change(new ResourceChange.Remove("web", version + 1)))
        .isEqualTo(new ResourceResult.Outdated(version));
    assertThat(change(new ResourceChange.Remove("web", version)))
        .isInstanceOf(ResourceResult.Done.class);
    assertThat(shown("web")).isEmpty();
    assertThat(rules())
        .extracting(FlowCatalog.KnownFlow::state)
        .containsExactly(FlowEntryState.PENDING_REMOVE);
    assertThat(change(new ResourceChange.Remove("web", version)))
        .isInstanceOf(ResourceResult.Missing.class);
  }

  @Test
  void twoFlowsThatWouldBeOneEntryAreRefused() throws Exception {
    add("web", fields("1f", 10, "in_port=1", "output:2"));
    ResourceResult other =
        change(new ResourceChange.Add("mail", fields("1f", 10, "in_port=1", "output:3")));
    assertThat(((ResourceResult.Conflict) other).error()).startsWith("flow web has the same");
    add("mail", fields("1f", 11, "in_port=1", "output:3"));
  }

  @Test
  void aWrongMatchNamesTheField() throws Exception {
    ResourceResult wrong =
        change(new ResourceChange.Add("web", fields("1f", 10, "in_port=x", "output:2")));
    assertThat(((ResourceResult.Invalid) wrong).field()).isEqualTo("match");
    ResourceResult action =
        change(new ResourceChange.Add("web", fields("1f", 10, "in_port=1", "output:x")));
    assertThat(((ResourceResult.Invalid) action).field()).isEqualTo("actions");
    assertThat(rules()).isEmpty();
  }

  @Test
  void pagesHaveEachRuleOnceInTheOrderOfSwitches() throws Exception {
    for (int i = 0; i < 7; i++) {
      add("flow-" + i, fields(Integer.toHexString(7 - i), 10, "in_port=1", "output:2"));
    }
    List<String> devices = new ArrayList<>();
    String next = "";
    int pages = 0;
    do {
      FlowCatalog.Page page = flows.catalog().page(rule -> true, next, 3);
      page.flows().forEach(one -> devices.add(one.rule().deviceId().toString()));
      next = page.next() == null ? "" : page.next();
      pages++;
    } while (!next.isEmpty());
    assertThat(pages).isEqualTo(3);
    assertThat(devices).hasSize(7).isSorted().doesNotHaveDuplicates();
    assertThatThrownBy(() -> flows.catalog().page(rule -> true, "here", 3))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aFlowThatDropsIsNoneThatMayBeDisplaced() throws Exception {
    ResourceValues deny = marked("drop");
    assertThat(change(new ResourceChange.Add("deny", deny)))
        .isInstanceOfSatisfying(
            ResourceResult.Invalid.class,
            wrong -> assertThat(wrong.field()).isEqualTo("displaceable"));
    assertThat(shown("deny")).isEmpty();
    add("web", marked("output:2"));
    assertThat(shown("web").get(0).fields().flag("displaceable")).isTrue();
  }

  private static ResourceValues marked(String action) {
    CheckedFields checked =
        CheckedFields.of(
            StaticFlowFields.DESCRIPTION,
            Map.of("switch", "1f", "actions", List.of(action), "displaceable", true));
    return ((CheckedFields.Sound) checked).values();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theBytesOfAFlowAreReadBackAndNeverInPart(boolean displaceable) {
    StaticFlowTable table = new StaticFlowTable();
    List<String> actions = List.of("output:2", "output:3");
    StaticFlow flow =
        new StaticFlow(0x1f, 3, 10, List.of("in_port=1"), actions, 5, 60, displaceable);
    byte[] bytes = table.encodeValue(flow).toArray();
    assertThat(table.decodeValue(Bytes.wrap(bytes))).isEqualTo(flow);
    for (int length = 0; length < bytes.length; length++) {
      Bytes part = Bytes.wrap(Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> table.decodeValue(part)).isInstanceOf(RuntimeException.class);
    }
  }
}
