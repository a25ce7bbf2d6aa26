package io.lockstep.core.operation;

import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceDescription.Change;
import io.lockstep.core.app.ResourceField;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.cluster.ListedProcess;
import io.lockstep.core.cluster.ListedProcess.Kind;
import io.lockstep.core.cluster.MachineTable;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.store.machine.ReplacedMachine;
import io.lockstep.store.machine.ReplacedMachines;
import io.lockstep.store.machine.ReplacedMachines.RefusedChangeException;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.TableDef;
import io.lockstep.store.typed.Versioned;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The resource {@code replacements}: machines that have taken the place of others behind the ids of
 * replicas (docs/adr/0044). All items have one version, that of the list in the store. Thread-safe.
 */
final class ReplacementOffer implements ResourceOffer {
  private static final TableDef<String, ReplacedMachines> MACHINES =
      StoredMastership.def(MachineTable.NAME, new MachineTable());

  /** An incarnation grows by 1 to this. */
  private static final int MOST_STEP = 1_000;

  private static final ResourceField HOST =
      ResourceField.text(
          "host", Pattern.compile("[A-Za-z0-9._:-]{1,253}"), "an IP address or a host name");
  private static final ResourceField PORT =
      ResourceField.whole("storePort", 1, 65_533, "TCP port; that of the machine before")
          .optional();

  private static final ResourceDescription DESCRIPTION =
      new ResourceDescription(
          "replacements",
          "replacement",
          "machines that replace others",
          Pattern.compile("[A-Za-z0-9._-]{1,64}"),
          "the id of a node",
          List.of(HOST, PORT),
          Set.of(Change.ADD, Change.SET));

  private final Store store;
  private final String self;
  private final List<ListedProcess> replicas;
  private final IntUnaryOperator random;

  /**
   * @param random a number below the given one, 0 or more
   */
  ReplacementOffer(Store store, NodeConfig config, IntUnaryOperator random) {
    this.store = store;
    this.self = config.nodeId();
    this.random = random;
    this.replicas =
        config.processes().stream()
            .filter(one -> one.kind() == Kind.REPLICA)
            .sorted(Comparator.comparing(ListedProcess::id))
            .toList();
  }

  @Override
  public ResourceDescription description() {
    return DESCRIPTION;
  }

  /** The list, which may be missing. */
  private record Looked(@Nullable Versioned<ReplacedMachines> found) {
    ReplacedMachines machines() {
      return found == null ? ReplacedMachines.NONE : found.value();
    }

    long version() {
      return found == null ? 0 : found.version();
    }
  }

  private CompletableFuture<Looked> look() {
    return store
        .table(MACHINES)
        .get(MachineTable.KEY)
        .thenApply(read -> new Looked(StoredMastership.one(read)));
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
    return look()
        .<ResourceAnswer>thenApply(
            now ->
                new ResourceAnswer.Items(
                    now.machines().rows().stream()
                        .filter(row -> row.replica() < replicas.size())
                        .filter(row -> only.isEmpty() || name(row).equals(only))
                        .map(row -> item(row, now.version()))
                        .toList(),
                    true))
        .exceptionally(Answers::notRead);
  }

  private String name(ReplacedMachine row) {
    return replicas.get(row.replica()).id();
  }

  private ResourceItem item(ReplacedMachine row, long version) {
    return new ResourceItem(
        name(row),
        version,
        ResourceValues.builder()
            .text(HOST.name(), row.host())
            .whole(PORT.name(), row.port())
            .build(),
        ResourceValues.builder()
            .whole("incarnation", row.incarnation())
            .flag("arrived", row.arrived())
            .build());
  }

  @Override
  public CompletableFuture<ResourceAnswer> change(ResourceChange change) {
    return Answers.after(look(), now -> change(now, change));
  }

  private CompletableFuture<ResourceAnswer> change(Looked now, ResourceChange change) {
    ResourceResult wrong = outdated(now, change);
    if (wrong != null) {
      return Answers.now(wrong);
    }
    ResourceValues fields =
        change instanceof ResourceChange.Add add
            ? add.fields()
            : ((ResourceChange.Set) change).fields();
    int number = number(change.id());
    if (number < 0) {
      return Answers.now(
          new ResourceResult.Invalid(
              "id",
              "there is no replica '" + change.id() + "'",
              "one of " + String.join(", ", replicas.stream().map(ListedProcess::id).toList())));
    }
    if (change.id().equals(self)) {
      return Answers.now(
          new ResourceResult.Conflict(
              "id", "this is " + self + " itself, which would end by it", "ask another node"));
    }
    return replace(now, number, fields, change);
  }

  private @Nullable ResourceResult outdated(Looked now, ResourceChange change) {
    boolean there = now.machines().of(number(change.id())) != null;
    if (change instanceof ResourceChange.Add) {
      return there ? new ResourceResult.Exists(now.version()) : null;
    }
    if (change instanceof ResourceChange.Set set) {
      return !there
          ? new ResourceResult.Missing()
          : now.version() == set.version() ? null : new ResourceResult.Outdated(now.version());
    }
    return new ResourceResult.Conflict(
        "", "a replaced machine never comes back", "replace it by another one");
  }

  private int number(String id) {
    return IntStream.range(0, replicas.size())
        .filter(number -> replicas.get(number).id().equals(id))
        .findFirst()
        .orElse(-1);
  }

  private CompletableFuture<ResourceAnswer> replace(
      Looked now, int number, ResourceValues fields, ResourceChange change) {
    ReplacedMachine before = now.machines().of(number);
    int usual = before == null ? replicas.get(number).port() : before.port();
    int port = fields.has(PORT.name()) ? (int) fields.whole(PORT.name()) : usual;
    ReplacedMachines next;
    try {
      next =
          now.machines()
              .replace(
                  replicas.size(),
                  number,
                  fields.text(HOST.name()),
                  port,
                  1 + random.applyAsInt(MOST_STEP));
    } catch (RefusedChangeException refused) {
      return Answers.now(
          new ResourceResult.Conflict(
              "", String.valueOf(refused.getMessage()), "see ./lockstep nodes"));
    }
    return store
        .batch()
        .ifVersion(MACHINES, MachineTable.KEY, now.version())
        .put(MACHINES, MachineTable.KEY, next)
        .commit()
        .thenCompose(
            outcome ->
                Answers.of(outcome, ResourceResult.Done::new, () -> changedMeanwhile(change)));
  }

  private CompletableFuture<ResourceAnswer> changedMeanwhile(ResourceChange change) {
    return Answers.after(
        look(),
        now ->
            Answers.now(
                change instanceof ResourceChange.Add
                        && now.machines().of(number(change.id())) == null
                    ? new ResourceResult.Conflict("", "others replace machines, too", "try again")
                    : new ResourceResult.Outdated(now.version())));
  }
}
