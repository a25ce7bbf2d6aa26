package io.lockstep.core.path;

import io.lockstep.core.flow.RoomRules;
import io.lockstep.core.flow.RuleInstaller;
import io.lockstep.core.flow.RuleTables;
import io.lockstep.core.flow.placed.PlacementTables;
import io.lockstep.core.flow.placed.SwitchProfiles;
import io.lockstep.core.mastership.FencedWrite;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.node.CoreTables;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.InputCounters;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.StoreFeed;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.engine.local.LocalEngine;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.onosproject.net.DeviceId;

/** What of a node concerns paths, over a real store, with switches that the test gives it. */
final class PathNode implements AutoCloseable {
  private static final AtomicLong NONCES = new AtomicLong(1);

  final List<Throwable> fatal = new CopyOnWriteArrayList<>();
  final BatchingStoreClient store;
  final PathViews views;
  final PathService service;
  private final ControlLoop loop;
  private final NodeState state;
  private final RuleInstaller installer;
  private final Set<Long> mastered = ConcurrentHashMap.newKeySet();

  PathNode(LocalEngine engine, String name, PathConfig config, Set<Integer> vlansOfHosts) {
    store =
        BatchingStoreClient.open(
            engine.connect(16),
            ClientOptions.of(name).withTimeToLiveMillis(600_000).withTables(CoreTables.all()),
            System::nanoTime,
            NONCES::getAndIncrement);
    loop = new ControlLoop(name, (where, failure) -> fatal.add(failure));
    state = new NodeState(loop);
    RuleTables tables = new RuleTables(state);
    views = new PathViews(state);
    installer =
        new RuleInstaller(
            tables,
            new PlacementTables(state),
            SwitchProfiles.NONE,
            store,
            this::write,
            loop,
            loop::schedule,
            System::currentTimeMillis,
            new InputCounters());
    PathDriver unused =
        new PathDriver(
            views,
            new RoomRules(tables),
            store,
            config,
            mastered::contains,
            () -> {
              BitSet vlans = new BitSet();
              vlansOfHosts.forEach(vlans::set);
              return vlans;
            },
            loop,
            loop::schedule,
            System::nanoTime);
    service = new PathService(views, store, config, loop, loop::schedule);
    loop.start();
    state.start(new StoreFeed(store, store.loop()));
  }

  /** The node masters a switch from now on. */
  void master(SwitchConnection connection) {
    mastered.add(connection.dpid());
    installer.gained(connection, 1);
  }

  /** Reads all its switches back. */
  void readBack() {
    loop.execute(installer::readBack);
  }

  /** Without the fence, which is not what this is about. */
  private CompletableFuture<Reply> write(DeviceId device, List<Write> writes) {
    CompletableFuture<Reply> last = CompletableFuture.completedFuture(new Reply.Absent());
    for (Write write : writes) {
      if (write instanceof Write.Put put) {
        last = store.submit(new Command.Put(put.table(), put.key(), put.value()));
      } else if (write instanceof Write.Remove remove) {
        last = store.submit(new Command.Remove(remove.table(), remove.key()));
      }
    }
    return last.thenApply(
        reply ->
            reply instanceof Reply.Applied applied
                ? new Reply.Returned(FencedWrite.COMPONENT.result().encode(applied.version()))
                : reply);
  }

  @Override
  public void close() {
    state.close();
    loop.close();
    store.close();
  }
}
