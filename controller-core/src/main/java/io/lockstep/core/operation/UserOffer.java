package io.lockstep.core.operation;

import io.lockstep.core.access.Role;
import io.lockstep.core.access.User;
import io.lockstep.core.access.UserName;
import io.lockstep.core.access.UserTable;
import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceDescription.Change;
import io.lockstep.core.app.ResourceField;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.store.Bytes;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.TableDef;
import io.lockstep.store.typed.Versioned;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The resource {@code users}: who may operate the cluster. A token is made where its user is; only
 * its digest comes here, and no answer has it. Thread-safe.
 */
final class UserOffer implements ResourceOffer {
  /** Users at most: each costs every node some 300 bytes. */
  static final int MAX_USERS = 1_000;

  private static final TableDef<String, User> USERS =
      StoredMastership.def(UserTable.NAME, new UserTable());

  private static final ResourceField ROLE =
      ResourceField.text("role", Pattern.compile("read|operate|admin"), "read, operate or admin");
  private static final ResourceField DIGEST =
      ResourceField.text(
              "digest",
              Pattern.compile("[0-9a-f]{64}"),
              "SHA-256 of the token's secret, 64 hexadecimal digits; ./lockstep user add makes it")
          .optional();

  private static final ResourceDescription DESCRIPTION =
      new ResourceDescription(
          "users",
          "user",
          "who may operate the cluster",
          UserName.PATTERN,
          UserName.ALLOWED,
          List.of(ROLE, DIGEST),
          Set.of(Change.ADD, Change.SET, Change.REMOVE));

  private final Store store;
  private final LongSupplier wallMillis;

  UserOffer(Store store, LongSupplier wallMillis) {
    this.store = store;
    this.wallMillis = wallMillis;
  }

  @Override
  public ResourceDescription description() {
    return DESCRIPTION;
  }

  @Override
  public CompletableFuture<ResourceAnswer> list() {
    return all()
        .<ResourceAnswer>thenApply(
            users ->
                new ResourceAnswer.Items(
                    users.values().stream().map(UserOffer::item).toList(), true))
        .exceptionally(Answers::notRead);
  }

  @Override
  public CompletableFuture<ResourceAnswer> show(String id) {
    return one(id)
        .<ResourceAnswer>thenApply(
            user ->
                new ResourceAnswer.Items(
                    user.found() == null ? List.of() : List.of(item(user.found())), true))
        .exceptionally(Answers::notRead);
  }

  private static ResourceItem item(Versioned<User> user) {
    return new ResourceItem(
        user.value().name(),
        user.version(),
        ResourceValues.builder().text(ROLE.name(), user.value().role().text()).build(),
        ResourceValues.builder().whole("sinceMillis", user.value().sinceMillis()).build());
  }

  /** One more than may be there, so that the bound is noticed. */
  private CompletableFuture<Map<String, Versioned<User>>> all() {
    return store
        .table(USERS)
        .page(MAX_USERS + 1)
        .thenApply(read -> new TreeMap<>(StoredMastership.value(read).readable()));
  }

  /** A user that may be missing. */
  private record Looked(@Nullable Versioned<User> found) {}

  private CompletableFuture<Looked> one(String name) {
    return store.table(USERS).get(name).thenApply(read -> new Looked(StoredMastership.one(read)));
  }

  @Override
  public CompletableFuture<ResourceAnswer> change(ResourceChange change) {
    if (change instanceof ResourceChange.Add add) {
      return Answers.after(all(), users -> add(users, add));
    }
    if (change instanceof ResourceChange.Set set) {
      return Answers.after(one(set.id()), user -> replace(user.found(), set));
    }
    ResourceChange.Remove remove = (ResourceChange.Remove) change;
    return Answers.after(one(remove.id()), user -> remove(user.found(), remove));
  }

  private CompletableFuture<ResourceAnswer> add(
      Map<String, Versioned<User>> users, ResourceChange.Add add) {
    Versioned<User> present = users.get(add.id());
    if (present != null) {
      return Answers.now(new ResourceResult.Exists(present.version()));
    }
    if (users.size() >= MAX_USERS) {
      return Answers.now(
          new ResourceResult.Conflict("", MAX_USERS + " users are there", "remove some"));
    }
    if (!add.fields().has(DIGEST.name())) {
      return Answers.now(
          new ResourceResult.Invalid(
              DIGEST.name(), "a new user needs a token", "use ./lockstep user add"));
    }
    return write(user(add.id(), add.fields(), null), 0);
  }

  private CompletableFuture<ResourceAnswer> replace(
      @Nullable Versioned<User> present, ResourceChange.Set set) {
    ResourceResult wrong = outdated(present, set.version());
    if (wrong != null || present == null) {
      return Answers.now(wrong == null ? new ResourceResult.Missing() : wrong);
    }
    return write(user(set.id(), set.fields(), present.value()), present.version());
  }

  private User user(String name, ResourceValues fields, @Nullable User before) {
    Role role = Role.of(fields.text(ROLE.name())).orElseThrow();
    if (!fields.has(DIGEST.name()) && before != null) {
      return new User(name, role, before.digest(), before.sinceMillis());
    }
    Bytes digest = Bytes.wrap(HexFormat.of().parseHex(fields.text(DIGEST.name())));
    return new User(name, role, digest, wallMillis.getAsLong());
  }

  private static @Nullable ResourceResult outdated(
      @Nullable Versioned<User> present, long decidedOn) {
    if (present == null) {
      return new ResourceResult.Missing();
    }
    return present.version() == decidedOn ? null : new ResourceResult.Outdated(present.version());
  }

  private CompletableFuture<ResourceAnswer> write(User user, long version) {
    return store
        .batch()
        .ifVersion(USERS, user.name(), version)
        .put(USERS, user.name(), user)
        .commit()
        .thenCompose(
            outcome ->
                Answers.of(outcome, ResourceResult.Done::new, () -> changedMeanwhile(user.name())));
  }

  private CompletableFuture<ResourceAnswer> remove(
      @Nullable Versioned<User> present, ResourceChange.Remove remove) {
    ResourceResult wrong = outdated(present, remove.version());
    if (wrong != null) {
      return Answers.now(wrong);
    }
    return store
        .batch()
        .ifVersion(USERS, remove.id(), remove.version())
        .remove(USERS, remove.id())
        .commit()
        .thenCompose(
            outcome ->
                Answers.of(outcome, ResourceResult.Done::new, () -> changedMeanwhile(remove.id())));
  }

  private CompletableFuture<ResourceAnswer> changedMeanwhile(String name) {
    return one(name)
        .<ResourceAnswer>thenApply(
            user ->
                new ResourceAnswer.Changed(
                    user.found() == null
                        ? new ResourceResult.Missing()
                        : new ResourceResult.Outdated(user.found().version())))
        .exceptionally(Answers::notRead);
  }
}
