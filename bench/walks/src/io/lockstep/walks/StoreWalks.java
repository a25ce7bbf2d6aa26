package io.lockstep.walks;

import io.lockstep.store.Reply;
import io.lockstep.walks.Repetitions.Marks;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** The walks through the store: a write, and the restart of a replica. */
final class StoreWalks {
  private static final int RESTARTS = 20;

  private final StoreCluster cluster;

  private StoreWalks(StoreCluster cluster) {
    this.cluster = cluster;
  }

  static Map<Walk, List<Window>> record() throws Exception {
    Map<Walk, List<Window>> windows = new EnumMap<>(Walk.class);
    try (StoreCluster cluster = StoreCluster.start()) {
      StoreWalks walks = new StoreWalks(cluster);
      // The first write opens the client's session.
      walks.put("first");
      List<Window> writes = Repetitions.of(walks::write);
      windows.put(Walk.WRITE, writes);
      windows.put(Walk.WRITE_ALONE, writes);
      List<Window> restarts = walks.restarts();
      windows.put(Walk.RESTART, restarts);
      windows.put(Walk.RESTART_ALONE, restarts);
    }
    return windows;
  }

  private void write(int number, Marks marks) throws Exception {
    marks.begin();
    CompletableFuture<Reply> written =
        cluster
            .put("key-" + number)
            .thenApply(
                reply -> {
                  marks.end();
                  return reply;
                });
    check(written);
  }

  private void put(String key) throws Exception {
    check(cluster.put(key));
  }

  private static void check(CompletableFuture<Reply> written) throws Exception {
    Reply reply = written.get(Await.PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (!(reply instanceof Reply.Applied)) {
      throw new IllegalStateException("a put was answered by " + reply);
    }
  }

  private List<Window> restarts() throws Exception {
    int leader = cluster.status(0).leaderId();
    List<Integer> followers =
        IntStream.range(0, StoreCluster.REPLICAS).filter(id -> id != leader).boxed().toList();
    List<Window> windows = new ArrayList<>();
    for (int number = 0; number < RESTARTS; number++) {
      windows.add(restart(followers.get(number % followers.size())));
    }
    return windows;
  }

  /** Only the replica's own threads count: those that start with it, and this one. */
  private Window restart(int id) throws Exception {
    cluster.stop(id);
    put("missed");
    // The others go on dialling the replica, and the client repeats what it sent to it. No
    // condition says that this is over, so the gap is timed.
    Thread.sleep(1_000);
    Set<Thread> others = Thread.getAllStackTraces().keySet();
    Thread starter = Thread.currentThread();
    Recorder.begin(thread -> thread == starter || !others.contains(thread));
    cluster.start(id);
    cluster.awaitOperational(id);
    return Recorder.end();
  }
}
