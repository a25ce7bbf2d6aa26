package io.lockstep.deploy.node;

import io.lockstep.deploy.admin.UpgradeDoor;
import io.lockstep.store.Release;
import io.lockstep.store.engine.ClusterVersions;
import io.lockstep.store.engine.OrderingReplica;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.TableDef;
import io.lockstep.store.typed.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The version of the cluster as this node's replica sees it. Thread-safe. */
final class NodeUpgrade implements UpgradeDoor {
  private static final TableDef<String, Long> TABLE =
      TableDef.of(Release.TABLE, Codec.utf8(), Codec.int64());
  private static final String KEY = Release.PERMITTED.toUtf8();
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  private final String node;
  private final @Nullable OrderingReplica replica;
  private final IntFunction<String> nameOf;
  private final Store store;

  /**
   * The door of a node.
   *
   * @param replica that runs in this process; null for none
   * @param nameOf the name of a replica's node
   */
  NodeUpgrade(
      String node, @Nullable OrderingReplica replica, IntFunction<String> nameOf, Store store) {
    this.node = node;
    this.replica = replica;
    this.nameOf = nameOf;
    this.store = store.within(DEADLINE);
  }

  @Override
  public @Nullable Shown show() {
    if (replica == null) {
      return null;
    }
    ClusterVersions versions = replica.versions();
    List<ReplicaVersion> replicas = new ArrayList<>();
    for (int id = 0; id < versions.newest().size(); id++) {
      int newest = versions.newest().get(id);
      replicas.add(new ReplicaVersion(nameOf.apply(id), newest, newest > 0));
    }
    return new Shown(node, versions.active(), versions.permitted(), replicas);
  }

  @Override
  public CompletableFuture<Optional<String>> permit(int version) {
    return store.table(TABLE).put(KEY, (long) version).thenApply(NodeUpgrade::failure);
  }

  @Override
  public CompletableFuture<Optional<String>> withdraw() {
    return store.table(TABLE).remove(KEY).thenApply(NodeUpgrade::failure);
  }

  private static <T> Optional<String> failure(WriteOutcome<T> outcome) {
    return outcome.fold(
        result ->
            result.fold(
                done -> Optional.empty(),
                conflict -> Optional.of("the entry was changed meanwhile"),
                failed -> Optional.of(failed.message())),
        Optional::of);
  }
}
