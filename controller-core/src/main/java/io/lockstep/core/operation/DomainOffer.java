package io.lockstep.core.operation;

import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceDescription.Change;
import io.lockstep.core.app.ResourceField;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.DomainMap;
import io.lockstep.core.cluster.DomainsTable;
import io.lockstep.core.cluster.DpidRange;
import io.lockstep.core.cluster.StoredDomains;
import io.lockstep.core.mastership.ProposeDomains;
import io.lockstep.core.resource.ResourceAnswer;
import io.lockstep.core.resource.ResourceAnswer.Reason;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.store.typed.Failure;
import io.lockstep.store.typed.Store;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The resource {@code domains} (adr/0016). All domains change together, so each item has the
 * version of them all. A change is in force when all living nodes follow it. Thread-safe.
 */
final class DomainOffer implements ResourceOffer {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final Pattern SWITCHES = Pattern.compile("[0-9a-fA-Fxof:-]{1,40}");

  private static final ResourceField SWITCHES_FIELD =
      ResourceField.texts(
          "switches",
          SWITCHES,
          1,
          DomainMap.MAX_RANGES,
          "datapath ids in hexadecimal and ranges of them, such as 1f or 1-1f");
  private static final ResourceField MASTERS_FIELD =
      ResourceField.texts(
              "masters", NAME, 0, DomainMap.MAX_MASTERS, "ids of nodes, the preferred one first")
          .usual(List.of());

  private static final ResourceDescription DESCRIPTION =
      new ResourceDescription(
          "domains",
          "domain",
          "the domains of switches",
          NAME,
          "a name of up to 64 letters, digits, '_', '.' and '-'",
          List.of(SWITCHES_FIELD, MASTERS_FIELD),
          EnumSet.allOf(Change.class));

  private static final int MAX_ATTEMPTS = 8;
  private static final String LOOK = "see ./lockstep domain show";

  private final Store store;
  private final Surroundings surroundings;
  private final Function<String, Optional<DpidRange>> switchesOf;

  /**
   * An offer.
   *
   * @param switchesOf reads switches as people write them; empty where it is none
   */
  DomainOffer(
      Store store, Surroundings surroundings, Function<String, Optional<DpidRange>> switchesOf) {
    this.store = store;
    this.surroundings = surroundings;
    this.switchesOf = switchesOf;
  }

  @Override
  public ResourceDescription description() {
    return DESCRIPTION;
  }

  /** The newest version, and whether it is in force. */
  private record Newest(StoredDomains domains, boolean isInForce) {}

  private CompletableFuture<Newest> read() {
    var next = store.table(StoredMastership.DOMAINS).get(DomainsTable.NEXT);
    var current = store.table(StoredMastership.DOMAINS).get(DomainsTable.CURRENT);
    return next.thenCombine(
        current,
        (onItsWay, inForce) -> {
          var first = StoredMastership.one(inForce);
          var second = StoredMastership.one(onItsWay);
          StoredDomains held = first == null ? StoredDomains.none() : first.value();
          StoredDomains newest =
              second == null || second.value().version() <= held.version() ? held : second.value();
          if (!newest.readable() || !held.readable()) {
            throw new StoredMastership.NotRead(
                "the domains have a format of a newer release: run that one");
          }
          return new Newest(newest, newest.version() == held.version());
        });
  }

  @Override
  public CompletableFuture<ResourceAnswer> list() {
    return read()
        .<ResourceAnswer>thenApply(
            now ->
                new ResourceAnswer.Items(
                    now.domains().map().domains().stream().map(one -> item(now, one)).toList(),
                    true))
        .exceptionally(Answers::notRead);
  }

  @Override
  public CompletableFuture<ResourceAnswer> show(String id) {
    return read()
        .<ResourceAnswer>thenApply(
            now -> {
              DomainConfig one = now.domains().map().named(id);
              return new ResourceAnswer.Items(
                  one == null ? List.of() : List.of(item(now, one)), true);
            })
        .exceptionally(Answers::notRead);
  }

  private ResourceItem item(Newest now, DomainConfig domain) {
    return new ResourceItem(
        domain.name(),
        now.domains().version(),
        ResourceValues.builder()
            .texts(SWITCHES_FIELD.name(), domain.dpids().stream().map(DpidRange::toString).toList())
            .texts(MASTERS_FIELD.name(), domain.preferredMasters())
            .build(),
        ResourceValues.builder()
            .flag("inForce", now.isInForce())
            .text("master", surroundings.masterOf(domain.name()))
            .build());
  }

  @Override
  public CompletableFuture<ResourceAnswer> change(ResourceChange change) {
    return change(change, 1);
  }

  private CompletableFuture<ResourceAnswer> change(ResourceChange change, int attempt) {
    return Answers.after(read(), now -> decide(now.domains(), change, attempt));
  }

  private CompletableFuture<ResourceAnswer> decide(
      StoredDomains now, ResourceChange change, int attempt) {
    DomainConfig before = now.map().named(change.id());
    ResourceResult early = early(now, before, change);
    if (early != null) {
      return Answers.now(early);
    }
    DomainMap next;
    try {
      next = DomainMap.of(changed(now.map(), change)).withMasters(surroundings.memberIds());
    } catch (IllegalArgumentException e) {
      return Answers.now(refused(String.valueOf(e.getMessage())));
    }
    return store
        .call(ProposeDomains.COMPONENT, new ProposeDomains.Proposal(now.version(), next))
        .thenCompose(
            outcome ->
                outcome.fold(
                    known ->
                        known.fold(
                            answer -> answered(change, attempt, answer),
                            conflict -> {
                              throw new IllegalStateException("a call has no conflict");
                            },
                            failure -> CompletableFuture.completedFuture(notDone(failure))),
                    unknown ->
                        CompletableFuture.completedFuture(
                            new ResourceAnswer.Refused(
                                Reason.LATE,
                                "whether it was changed is not known: " + unknown,
                                LOOK))));
  }

  private CompletableFuture<ResourceAnswer> answered(
      ResourceChange change, int attempt, ProposeDomains.Answer answer) {
    if (answer.accepted()) {
      return Answers.now(new ResourceResult.Accepted(answer.version()));
    }
    // To add a domain is decided on its name only.
    return change instanceof ResourceChange.Add && attempt < MAX_ATTEMPTS
        ? change(change, attempt + 1)
        : Answers.now(new ResourceResult.Outdated(answer.version()));
  }

  /** What the version and the name alone decide; null where nothing. */
  private static @Nullable ResourceResult early(
      StoredDomains now, @Nullable DomainConfig before, ResourceChange change) {
    if (change instanceof ResourceChange.Add) {
      return before == null ? null : new ResourceResult.Exists(now.version());
    }
    if (before == null) {
      return new ResourceResult.Missing();
    }
    long decidedOn =
        change instanceof ResourceChange.Set set
            ? set.version()
            : ((ResourceChange.Remove) change).version();
    return decidedOn == now.version() ? null : new ResourceResult.Outdated(now.version());
  }

  private List<DomainConfig> changed(DomainMap map, ResourceChange change) {
    List<DomainConfig> next = new ArrayList<>();
    for (DomainConfig one : map.domains()) {
      if (!one.name().equals(change.id())) {
        next.add(one);
      } else if (change instanceof ResourceChange.Set set) {
        next.add(domain(set.id(), set.fields()));
      }
    }
    if (change instanceof ResourceChange.Add add) {
      next.add(domain(add.id(), add.fields()));
    }
    return next;
  }

  private DomainConfig domain(String name, ResourceValues fields) {
    List<DpidRange> switches = new ArrayList<>();
    for (String text : fields.texts(SWITCHES_FIELD.name())) {
      switches.add(
          switchesOf
              .apply(text)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException("switches: '" + text + "' is no datapath id")));
    }
    List<String> masters = fields.texts(MASTERS_FIELD.name());
    for (String master : masters) {
      if (!surroundings.isMember(master)) {
        throw new IllegalArgumentException("masters: there is no node '" + master + "'");
      }
    }
    return new DomainConfig(name, switches, masters);
  }

  private static ResourceResult refused(String why) {
    String field =
        why.contains("switches")
            ? SWITCHES_FIELD.name()
            : why.contains("masters") ? MASTERS_FIELD.name() : "";
    return why.contains("overlaps")
        ? new ResourceResult.Conflict(
            field, why, "move the switches with ./lockstep domain set SWITCH DOMAIN")
        : new ResourceResult.Invalid(field, why, LOOK);
  }

  private static ResourceAnswer notDone(Failure failure) {
    return failure.cause() == Failure.Cause.COMPONENT_REFUSED
        ? new ResourceAnswer.Changed(new ResourceResult.Conflict("", failure.reason(), LOOK))
        : new ResourceAnswer.Refused(
            Reason.NOT_NOW, "nothing was changed: " + failure.reason(), "see ./lockstep status");
  }
}
