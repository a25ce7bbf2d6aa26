package io.lockstep.deploy.placed;

import io.lockstep.core.flow.IntendedRules;
import io.lockstep.core.flow.RuleInstaller;
import io.lockstep.core.flow.RuleTables;
import io.lockstep.core.flow.placed.PlacementTables;
import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.core.mastership.DomainWriter;
import io.lockstep.core.node.CoreTables;
import io.lockstep.core.path.PathConfig;
import io.lockstep.core.path.PathService;
import io.lockstep.core.path.PathViews;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.InputCounters;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.StoreFeed;
import io.lockstep.deploy.config.ConfigException;
import io.lockstep.deploy.config.ConfiguredStore;
import io.lockstep.deploy.launch.ClusterPlan;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import io.lockstep.store.typed.StoreAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * An application in a process of its own, which outlives any node: the flow rule service and the
 * path service over the store of a cluster of processes. It masters no switch.
 */
public final class RemoteApplication implements AutoCloseable {
  private static final String NAME = "app";

  /** Far from those of the nodes. */
  private static final int CLIENT_NUMBER = 100;

  final List<Throwable> fatal = new CopyOnWriteArrayList<>();
  private final ControlLoop loop = new ControlLoop(NAME, (where, failure) -> fatal.add(failure));
  private final NodeState state = new NodeState(loop);
  private final BatchingStoreClient store;
  private final IntendedRules rules;
  private final PathService paths;

  /** The only application of its cluster. */
  public RemoteApplication(ClusterPlan plan) throws ConfigException {
    this(plan, 0);
  }

  /**
   * One of several applications of a cluster.
   *
   * @param number its own, from 0
   */
  public RemoteApplication(ClusterPlan plan, int number) throws ConfigException {
    StoreAddress address = ConfiguredStore.address(plan.configFile(0));
    store =
        BatchingStoreClient.open(
            BftSmartClient.connect(
                ClientConfig.of(address.cluster(), address.members(), CLIENT_NUMBER + number)),
            ClientOptions.of(NAME + number).withTables(CoreTables.all()),
            System::nanoTime,
            new SecureRandom()::nextLong);
    RuleTables tables = new RuleTables(state);
    DomainWriter nobody =
        (device, writes) ->
            CompletableFuture.completedFuture(
                new Reply.Rejected(Reply.Reason.NOT_SENT, "an application masters nothing"));
    RuleInstaller installer =
        new RuleInstaller(
            tables,
            new PlacementTables(state),
            SwitchProfiles.NONE,
            store,
            nobody,
            loop,
            loop::schedule,
            System::currentTimeMillis,
            new InputCounters());
    rules = new IntendedRules(tables, installer, store, device -> List.of(), loop::schedule, loop);
    paths = new PathService(new PathViews(state), store, PathConfig.USUAL, loop, loop::schedule);
    loop.start();
    state.start(new StoreFeed(store, store.loop()));
  }

  /** The flow rule service; its view is whole. */
  public IntendedRules rules() {
    awaitView();
    return rules;
  }

  /** The path service; its view is whole. */
  public PathService paths() {
    awaitView();
    return paths;
  }

  private void awaitView() {
    try {
      state.current().get(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("the store is not seen: " + fatal, e);
    }
  }

  @Override
  public void close() {
    state.close();
    loop.close();
    store.close();
    if (!fatal.isEmpty()) {
      throw new AssertionError("a broken invariant", fatal.get(0));
    }
  }
}
