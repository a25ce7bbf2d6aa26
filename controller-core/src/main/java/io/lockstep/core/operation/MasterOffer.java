package io.lockstep.core.operation;

import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceDescription.Change;
import io.lockstep.core.app.ResourceField;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.DomainsTable;
import io.lockstep.core.cluster.DrainTable;
import io.lockstep.core.mastership.DomainRecord;
import io.lockstep.core.mastership.Move;
import io.lockstep.core.operation.StoredMastership.Snapshot;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.store.typed.BatchBuilder;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.Versioned;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The resource {@code masters}: who masters which domain, and which node an operator moved it to.
 * An item's version is that of the newest of what it is made of, so every hand-over gives another
 * one. Thread-safe.
 */
final class MasterOffer implements ResourceOffer {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private static final ResourceField NODE = ResourceField.text("node", NAME, "the id of a node");
  private static final ResourceField STAYS = ResourceField.flag("stays").usual(true);

  private static final ResourceDescription DESCRIPTION =
      new ResourceDescription(
          "masters",
          "master",
          "the masters of domains",
          NAME,
          "the name of a domain",
          List.of(NODE, STAYS),
          Set.of(Change.SET));

  /** Rows of domains that are no longer; so many go with each change. */
  private static final int PRUNED_AT_ONCE = 100;

  private final Store store;
  private final StoredMastership stored;
  private final Surroundings surroundings;

  MasterOffer(Store store, Surroundings surroundings) {
    this.store = store;
    this.stored = new StoredMastership(store);
    this.surroundings = surroundings;
  }

  @Override
  public ResourceDescription description() {
    return DESCRIPTION;
  }

  @Override
  public CompletableFuture<ResourceAnswer> list() {
    return stored
        .read()
        .<ResourceAnswer>thenApply(
            now ->
                new ResourceAnswer.Items(
                    now.map().domains().stream().map(domain -> item(now, domain)).toList(), true))
        .exceptionally(Answers::notRead);
  }

  @Override
  public CompletableFuture<ResourceAnswer> show(String id) {
    return stored
        .read()
        .<ResourceAnswer>thenApply(
            now -> {
              DomainConfig domain = now.map().named(id);
              return new ResourceAnswer.Items(
                  domain == null ? List.of() : List.of(item(now, domain)), true);
            })
        .exceptionally(Answers::notRead);
  }

  private static long version(Snapshot now, String domain) {
    return Math.max(
        now.domainsVersion(), Math.max(now.mastersVersion(domain), now.movesVersion(domain)));
  }

  private ResourceItem item(Snapshot now, DomainConfig domain) {
    String name = domain.name();
    DomainRecord record = record(now, name);
    String master = record == null ? "" : surroundings.master(record);
    Move move = valid(now, name);
    boolean stays = move != null && move.stays();
    String wanted = move == null ? master : move.node();
    ResourceValues.Builder fields = ResourceValues.builder();
    if (!wanted.isEmpty()) {
      fields.text(NODE.name(), wanted).flag(STAYS.name(), stays);
    }
    return new ResourceItem(
        name,
        version(now, name),
        fields.build(),
        ResourceValues.builder()
            .text("master", master.isEmpty() ? "-" : master)
            .whole("epoch", record == null ? 0 : record.epoch())
            .texts("preferred", domain.preferredMasters())
            .build());
  }

  private static @Nullable DomainRecord record(Snapshot now, String domain) {
    Versioned<DomainRecord> held = now.masters().get(domain);
    return held == null ? null : held.value();
  }

  /** The wish that counts; null where its node was started anew, or is drained. */
  private @Nullable Move valid(Snapshot now, String domain) {
    Versioned<Move> held = now.moves().get(domain);
    if (held == null) {
      return null;
    }
    Move move = held.value();
    DomainRecord record = record(now, domain);
    boolean isOfEpoch = move.epoch() == (record == null ? 0 : record.epoch());
    return move.sessionId() != 0
            && surroundings.availableSessionOf(move.node()) == move.sessionId()
            && !isDrained(now, move.node())
            && (move.stays() || isOfEpoch)
        ? move
        : null;
  }

  private static boolean isDrained(Snapshot now, String node) {
    return now.drained().stream().anyMatch(one -> one.node().equals(node));
  }

  @Override
  public CompletableFuture<ResourceAnswer> change(ResourceChange change) {
    ResourceChange.Set set = (ResourceChange.Set) change;
    return Answers.after(stored.read(), now -> decide(now, set));
  }

  private CompletableFuture<ResourceAnswer> decide(Snapshot now, ResourceChange.Set set) {
    String name = set.id();
    DomainConfig domain = now.map().named(name);
    if (domain == null) {
      return Answers.now(new ResourceResult.Missing());
    }
    long version = version(now, name);
    if (version != set.version()) {
      return Answers.now(new ResourceResult.Outdated(version));
    }
    String node = set.fields().text(NODE.name());
    ResourceResult wrong = wrong(now, domain, node);
    if (wrong != null) {
      return Answers.now(wrong);
    }
    DomainRecord record = record(now, name);
    long epoch = record == null ? 0 : record.epoch();
    long session = surroundings.availableSessionOf(node);
    Move move = new Move(node, session, epoch, set.fields().flag(STAYS.name()));
    BatchBuilder batch =
        store
            .batch()
            .ifVersion(StoredMastership.DOMAINS, DomainsTable.CURRENT, now.domainsVersion())
            .ifVersion(StoredMastership.MASTERS, name, now.mastersVersion(name))
            .ifVersion(StoredMastership.MOVES, name, now.movesVersion(name))
            .ifVersion(StoredMastership.DRAINS, DrainTable.KEY, now.drainsVersion())
            .put(StoredMastership.MOVES, name, move);
    now.moves().keySet().stream()
        .filter(other -> now.map().named(other) == null)
        .limit(PRUNED_AT_ONCE)
        .forEach(other -> batch.remove(StoredMastership.MOVES, other));
    boolean isThere = record != null && surroundings.master(record).equals(node);
    return batch
        .commit()
        .thenCompose(
            outcome ->
                Answers.of(
                    outcome,
                    written ->
                        isThere
                            ? new ResourceResult.Done(written)
                            : new ResourceResult.Accepted(written),
                    () -> changedMeanwhile(name)));
  }

  /** What keeps a node from mastering a domain; null where nothing does. */
  private @Nullable ResourceResult wrong(Snapshot now, DomainConfig domain, String node) {
    if (!surroundings.isMember(node)) {
      return new ResourceResult.Invalid(
          NODE.name(),
          "there is no node '" + node + "'",
          "one of " + String.join(", ", surroundings.memberIds()));
    }
    if (isDrained(now, node)) {
      return new ResourceResult.Conflict(
          NODE.name(), node + " is drained", "./lockstep undrain " + node + ", or name another");
    }
    if (surroundings.availableSessionOf(node) == 0) {
      return new ResourceResult.Conflict(
          NODE.name(), node + " does not take part", "start it, or name another node");
    }
    List<String> missing = surroundings.outOfReach(domain, node);
    return missing.isEmpty()
        ? null
        : new ResourceResult.Conflict(
            NODE.name(),
            node + " does not reach switch " + Surroundings.named(missing),
            "see CONNECTED TO in ./lockstep status, or name another node");
  }

  private CompletableFuture<ResourceAnswer> changedMeanwhile(String name) {
    return stored
        .read()
        .<ResourceAnswer>thenApply(
            now -> new ResourceAnswer.Changed(new ResourceResult.Outdated(version(now, name))))
        .exceptionally(Answers::notRead);
  }
}
