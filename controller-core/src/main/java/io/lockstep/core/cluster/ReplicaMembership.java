package io.lockstep.core.cluster;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.FatalHandler;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableFeed;
import io.lockstep.store.StoreClient;
import io.lockstep.store.typed.Store;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The place in the cluster of a replica that is a process of its own. It has no switches and no
 * voice; it publishes which processes its file lists and compares that with the nodes' files
 * ({@link MemberLists}). One thread is its own: its control loop.
 *
 * <p>The store client belongs to the caller, who closes it afterwards.
 */
public final class ReplicaMembership implements AutoCloseable {
  private final StoreClient store;
  private final ControlLoop loop;
  private final NodeState state;
  private final MemberLists lists;

  /**
   * A membership that does not run yet.
   *
   * @param id the replica's
   * @param file the path of its file; empty where there is none
   * @param processes every process that the file lists
   * @param store a client whose session's owner is {@link ListedProcess#replicaName}
   * @param storeLoop the loop of {@code store}
   * @param fatal told of a broken invariant; the process should end
   */
  public ReplicaMembership(
      String id,
      String file,
      List<ListedProcess> processes,
      StoreClient store,
      ScheduledExecutorService storeLoop,
      FatalHandler fatal) {
    this.store = store;
    String name = ListedProcess.replicaName(id);
    loop = new ControlLoop("replica-" + id, fatal);
    state = new NodeState(loop);
    LiveProcesses live =
        new LiveProcesses(
            state.declare(NodeTable.NAME, new NodeTable()),
            state.declare(SessionTable.NAME, new SessionTable()));
    lists =
        new MemberLists(
            name,
            MemberList.published(file, processes),
            Store.sharing(store, storeLoop),
            state,
            this::takesPart,
            live,
            state.declare(MachineTable.NAME, new MachineTable()));
  }

  private boolean takesPart() {
    return store.session().sessionId() != 0 && state.current().isDone();
  }

  /** Starts the thread and begins to follow the store; once. Does not wait for a quorum. */
  public void start(TableFeed feed) {
    loop.start();
    store.onSessionChange(
        new StoreClient.SessionListener() {
          @Override
          public void opened(long sessionId) {
            loop.execute(ReplicaMembership.this::look);
          }

          @Override
          public void ended(long sessionId) {}
        });
    state.start(feed);
    after(state.current(), loop, current -> look());
  }

  private void look() {
    lists.publish();
    lists.review();
  }

  /** Where the files differ. Thread-safe. */
  public List<Difference> differences() {
    return lists.differences();
  }

  /**
   * Why this replica is not ready; empty where its list is that of the nodes, or it has not heard
   * of theirs. Thread-safe.
   */
  public String notReady() {
    return lists.notReady();
  }

  @Override
  public void close() {
    state.close();
    loop.close();
  }
}
