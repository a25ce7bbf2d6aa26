package io.lockstep.core.operation;

import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceDescription.Change;
import io.lockstep.core.app.ResourceField;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.cluster.DrainTable;
import io.lockstep.core.cluster.DrainedNode;
import io.lockstep.core.mastership.Move;
import io.lockstep.core.operation.StoredMastership.Snapshot;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.store.typed.BatchBuilder;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.Versioned;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The resource {@code drains}: nodes that are to be stopped or maintained. To drain a node is
 * refused where its stop would take the quorum along, or leave switches without a master, unless
 * the operator insists. Thread-safe.
 */
final class DrainOffer implements ResourceOffer {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private static final ResourceField FORCE = ResourceField.flag("force").usual(false);

  private static final ResourceDescription DESCRIPTION =
      new ResourceDescription(
          "drains",
          "drain",
          "drained nodes",
          NAME,
          "the id of a node",
          List.of(FORCE),
          Set.of(Change.ADD, Change.REMOVE));

  /** How often a drain is decided anew because of others at the same time. */
  private static final int MAX_ATTEMPTS = 8;

  /** Moves that one batch ends: each has a guard and a write. */
  private static final int ENDED_AT_ONCE = 500;

  private static final String INSIST = "; or insist with --force";

  private final Store store;
  private final StoredMastership stored;
  private final Surroundings surroundings;
  private final LivingReplicas replicas;
  private final LongSupplier wallMillis;

  DrainOffer(
      Store store, Surroundings surroundings, LivingReplicas replicas, LongSupplier wallMillis) {
    this.store = store;
    this.stored = new StoredMastership(store);
    this.surroundings = surroundings;
    this.replicas = replicas;
    this.wallMillis = wallMillis;
  }

  @Override
  public ResourceDescription description() {
    return DESCRIPTION;
  }

  @Override
  public CompletableFuture<ResourceAnswer> list() {
    return items("");
  }

  @Override
  public CompletableFuture<ResourceAnswer> show(String id) {
    return items(id);
  }

  private CompletableFuture<ResourceAnswer> items(String only) {
    return stored
        .read()
        .<ResourceAnswer>thenApply(
            now ->
                new ResourceAnswer.Items(
                    now.drained().stream()
                        .filter(one -> only.isEmpty() || one.node().equals(only))
                        .map(one -> item(now, one))
                        .toList(),
                    true))
        .exceptionally(Answers::notRead);
  }

  private ResourceItem item(Snapshot now, DrainedNode one) {
    return new ResourceItem(
        one.node(),
        now.drainsVersion(),
        ResourceValues.NONE,
        ResourceValues.builder()
            .whole("sinceMillis", one.sinceMillis())
            .texts("domains", domainsAt(now, one.node()))
            .texts("switches", surroundings.switchesAt(one.node()))
            .flag("leadsStore", replicas.leader().equals(one.node()))
            .build());
  }

  /** By the store, not by this node's view, which may not have a hand-over to the node yet. */
  private List<String> domainsAt(Snapshot now, String node) {
    return now.masters().entrySet().stream()
        .filter(entry -> now.map().named(entry.getKey()) != null)
        .filter(entry -> surroundings.master(entry.getValue().value()).equals(node))
        .map(Map.Entry::getKey)
        .toList();
  }

  @Override
  public CompletableFuture<ResourceAnswer> change(ResourceChange change) {
    return change(change, 1);
  }

  private CompletableFuture<ResourceAnswer> change(ResourceChange change, int attempt) {
    return Answers.after(
        stored.read(),
        now ->
            change instanceof ResourceChange.Add add
                ? drain(now, add, attempt)
                : undrain(now, (ResourceChange.Remove) change));
  }

  private CompletableFuture<ResourceAnswer> drain(
      Snapshot now, ResourceChange.Add add, int attempt) {
    String node = add.id();
    if (!surroundings.isMember(node)) {
      return Answers.now(
          new ResourceResult.Invalid(
              "id",
              "there is no node '" + node + "'",
              "one of " + String.join(", ", surroundings.memberIds())));
    }
    if (now.drained().stream().anyMatch(one -> one.node().equals(node))) {
      return Answers.now(new ResourceResult.Exists(now.drainsVersion()));
    }
    ResourceResult unsafe = add.fields().flag(FORCE.name()) ? null : unsafe(now, node);
    if (unsafe != null) {
      return Answers.now(unsafe);
    }
    List<DrainedNode> next = new ArrayList<>(now.drained());
    next.add(new DrainedNode(node, wallMillis.getAsLong()));
    if (next.size() > DrainTable.MAX_NODES) {
      return Answers.now(
          new ResourceResult.Conflict(
              "", "more than " + DrainTable.MAX_NODES + " nodes are drained", "undrain some"));
    }
    return write(now, next)
        .commit()
        .thenCompose(
            outcome ->
                Answers.of(
                    outcome,
                    ResourceResult.Done::new,
                    () ->
                        attempt < MAX_ATTEMPTS
                            ? change(add, attempt + 1)
                            : Answers.now(
                                new ResourceResult.Conflict(
                                    "", "other operators drain nodes, too", "try again"))));
  }

  private BatchBuilder write(Snapshot now, List<DrainedNode> next) {
    return onDrains(now).put(StoredMastership.DRAINS, DrainTable.KEY, next);
  }

  private BatchBuilder onDrains(Snapshot now) {
    return store.batch().ifVersion(StoredMastership.DRAINS, DrainTable.KEY, now.drainsVersion());
  }

  /** After it nothing goes back to the node because it was moved there before. */
  private CompletableFuture<ResourceAnswer> undrain(Snapshot now, ResourceChange.Remove remove) {
    List<DrainedNode> next =
        now.drained().stream().filter(one -> !one.node().equals(remove.id())).toList();
    if (next.size() == now.drained().size()) {
      return Answers.now(new ResourceResult.Missing());
    }
    if (now.drainsVersion() != remove.version()) {
      return Answers.now(new ResourceResult.Outdated(now.drainsVersion()));
    }
    // Here and not at the drain: a move may be written while a drain is decided on. While the node
    // is drained none can be, since a move is written under the version of the drains.
    List<Map.Entry<String, Versioned<Move>>> moves = movesTo(now, remove.id());
    boolean isAll = moves.size() <= ENDED_AT_ONCE;
    BatchBuilder batch = isAll ? write(now, next) : onDrains(now);
    moves.stream().limit(ENDED_AT_ONCE).forEach(entry -> endMove(entry, batch));
    return batch
        .commit()
        .thenCompose(
            outcome ->
                Answers.then(
                    outcome,
                    version ->
                        isAll ? Answers.now(new ResourceResult.Done(version)) : change(remove, 1),
                    () -> change(remove, 1)));
  }

  /** The moves to a node that would count if it was not drained. */
  private static List<Map.Entry<String, Versioned<Move>>> movesTo(Snapshot now, String node) {
    return now.moves().entrySet().stream()
        .filter(entry -> entry.getValue().value().node().equals(node))
        .filter(entry -> entry.getValue().value().sessionId() != 0)
        .toList();
  }

  /** Not removed, so that the version of the domain's master never goes back. */
  private static void endMove(Map.Entry<String, Versioned<Move>> entry, BatchBuilder batch) {
    Move ended = new Move(entry.getValue().value().node(), 0, 0, false);
    batch
        .ifVersion(StoredMastership.MOVES, entry.getKey(), entry.getValue().version())
        .put(StoredMastership.MOVES, entry.getKey(), ended);
  }

  /** Why the node should not be stopped now; null where it can be. */
  private @Nullable ResourceResult unsafe(Snapshot now, String node) {
    LivingReplicas.Counted counted = replicas.counted().orElse(null);
    if (counted != null) {
      Set<String> left = new HashSet<>(counted.living());
      left.remove(node);
      now.drained().forEach(one -> left.remove(one.node()));
      if (left.size() < counted.majority()) {
        return new ResourceResult.Conflict(
            "",
            "to stop "
                + node
                + " would leave "
                + left.size()
                + " of "
                + counted.all()
                + " replicas, and the store needs "
                + counted.majority()
                + ", drained nodes not counted",
            "start or undrain another node first" + INSIST);
      }
    }
    if (!surroundings.anotherLives(node, now.drained())) {
      return new ResourceResult.Conflict(
          "",
          "no other node that is not drained takes part",
          "start or undrain another node first" + INSIST);
    }
    List<String> alone = surroundings.reachedOnlyBy(node, now.drained());
    return alone.isEmpty()
        ? null
        : new ResourceResult.Conflict(
            "",
            "only " + node + " reaches switch " + Surroundings.named(alone),
            "connect it to another node first" + INSIST);
  }
}
