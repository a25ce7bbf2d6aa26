package io.lockstep.deploy.admin.flow;

import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.flow.RoomRules;
import io.lockstep.core.flow.RuleTables;
import io.lockstep.core.node.CoreTables;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.StoreFeed;
import io.lockstep.core.staticflow.StaticFlows;
import io.lockstep.deploy.admin.AdminServer;
import io.lockstep.deploy.admin.DomainDoor;
import io.lockstep.deploy.admin.ProbeDoor.Answer;
import io.lockstep.deploy.admin.SampleReport;
import io.lockstep.deploy.admin.event.EventLog;
import io.lockstep.deploy.config.NodeSettings.Listener;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.local.LocalEngine;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/** The admin HTTP with static flows over a store in memory, without a network. */
final class ServedFlows implements AutoCloseable {
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
  final StaticFlows flows =
      new StaticFlows(state, new RoomRules(new RuleTables(state)), store, loop::schedule);
  final EventLog events = new EventLog("n1", 7, () -> 1_000);
  private final AdminServer server;

  ServedFlows() throws IOException {
    loop.start();
    state.start(new StoreFeed(store, store.loop()));
    server = AdminServer.open(new Listener("127.0.0.1", 0), () -> SampleReport.ready("n1"));
    server.offer(List.of(flows.offer()));
    server.offer(query -> new FlowListDoor.FlowPage(List.of(), null));
    server.offer(new NoRoutes());
    server.offer(events);
  }

  /** The other resources of a node as well, each with one item that never changes. */
  void offerAll() {
    server.offer(new OneVersion());
    server.offer(
        List.of(
            new OneItem("paths", "path"),
            new OneItem("domains", "domain"),
            new OneItem("masters", "master"),
            new OneItem("drains", "drain"),
            new OneItem("users", "user"),
            new OneItem("replacements", "replacement"),
            new OneItem("vips", "vip"),
            new OneItem("pools", "pool"),
            new OneItem("members", "member")));
  }

  /** A resource with the item {@code web}. */
  private record OneItem(String name, String item) implements ResourceOffer {
    @Override
    public ResourceDescription description() {
      return new ResourceDescription(
          name, item, "things", Pattern.compile(".*"), "any name", List.of(), Set.of());
    }

    @Override
    public CompletableFuture<ResourceAnswer> list() {
      return CompletableFuture.completedFuture(
          new ResourceAnswer.Items(
              List.of(new ResourceItem("web", 1, fields(), ResourceValues.NONE)), true));
    }

    private ResourceValues fields() {
      return name.equals("paths")
          ? ResourceValues.builder().texts("hops", List.of("1f/2")).build()
          : ResourceValues.NONE;
    }

    @Override
    public CompletableFuture<ResourceAnswer> show(String id) {
      return list();
    }

    @Override
    public CompletableFuture<ResourceAnswer> change(ResourceChange change) {
      throw new IllegalStateException("it has no changes");
    }
  }

  /** Domains whose newest version is 5. */
  private static final class OneVersion implements DomainDoor {
    @Override
    public Answer show() {
      return new Answer(200, new Shown(5, 0, List.of(), List.of(), "version: 5\n"));
    }

    @Override
    public Answer change(long decidedOn, Map<String, String> query, String file) {
      return decidedOn == 5
          ? new Answer(202, new Accepted(6))
          : new Answer(OUTDATED, new Refused("outdated", "look", 5));
    }
  }

  int port() {
    return server.port();
  }

  /** A network without a host, and one switch. */
  private static final class NoRoutes implements RouteDoor {
    @Override
    public Optional<End> find(String text) {
      return text.equals("1") ? Optional.of(new End("0000000000000001", 0, "")) : Optional.empty();
    }

    @Override
    public Routes routes(End from, End to, int limit) {
      return new Routes(from, to, List.of());
    }
  }

  @Override
  public void close() {
    server.close();
    state.close();
    loop.close();
    store.close();
    engine.close();
    if (!fatal.isEmpty()) {
      throw new AssertionError("the control loop failed", fatal.get(0));
    }
  }
}
