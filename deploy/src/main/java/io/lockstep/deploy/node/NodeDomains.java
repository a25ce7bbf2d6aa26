package io.lockstep.deploy.node;

import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.DomainMap;
import io.lockstep.core.cluster.Domains;
import io.lockstep.core.cluster.DpidRange;
import io.lockstep.core.cluster.StoredDomains;
import io.lockstep.core.mastership.ProposeDomains;
import io.lockstep.core.node.ControllerNode;
import io.lockstep.deploy.admin.DomainDoor;
import io.lockstep.deploy.admin.ProbeDoor.Answer;
import io.lockstep.deploy.config.ConfigException;
import io.lockstep.deploy.config.DomainsFile;
import io.lockstep.deploy.config.NodeSettings;
import io.lockstep.store.typed.Failure;
import io.lockstep.store.typed.WriteResult;
import io.lockstep.yaml.Suggestion;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The cluster's domains for the admin HTTP. Thread-safe. */
final class NodeDomains implements DomainDoor {
  /** Beyond what the store's client waits for by itself. */
  private static final int EXTRA_MILLIS = 5_000;

  private static final String LOOK = "see ./lockstep domain show";

  private final ControllerNode node;
  private final Set<String> memberIds = new TreeSet<>();
  private final int patienceMillis;

  NodeDomains(NodeSettings settings, ControllerNode node) {
    this.node = node;
    this.patienceMillis = settings.timeouts().storeRequestMillis() + EXTRA_MILLIS;
    settings.members().forEach(member -> memberIds.add(member.id()));
  }

  @Override
  public Answer show() {
    Domains domains = node.domains();
    if (!node.current().isDone() || !domains.unreadable().isEmpty()) {
      return notRead();
    }
    // In this order: one that is in force when next is read is no longer on its way.
    StoredDomains current = domains.current();
    StoredDomains next = domains.next();
    StoredDomains newest = next == null ? current : next;
    return new Answer(
        200,
        new Shown(
            current.version(),
            next == null ? 0 : next.version(),
            domains.waitsFor(),
            newest.map().domains().stream().map(NodeDomains::shown).toList(),
            DomainsFile.write(newest.version(), newest.map())));
  }

  private static ShownDomain shown(DomainConfig domain) {
    return new ShownDomain(
        domain.name(),
        domain.dpids().stream().map(DpidRange::toString).toList(),
        domain.preferredMasters());
  }

  private Answer notRead() {
    String why = node.domains().unreadable();
    return refused(
        503, why.isEmpty() ? "the node has not read the store yet" : why, "see ./lockstep status");
  }

  @Override
  public Answer change(long decidedOn, Map<String, String> query, String file) {
    if (!node.current().isDone() || !node.domains().unreadable().isEmpty()) {
      return notRead();
    }
    try {
      String switches = query.get("switches");
      return switches == null
          ? propose(
              decidedOn,
              DomainsFile.parse(query.getOrDefault("name", "the file"), file, memberIds).map())
          : move(switches, query.get("domain"), decidedOn);
    } catch (ConfigException e) {
      return new Answer(400, new Refused(e.explanation(), "", 0));
    } catch (IllegalArgumentException e) {
      return refused(400, String.valueOf(e.getMessage()), LOOK);
    }
  }

  private Answer move(String switches, @Nullable String domain, long decidedOn) {
    Optional<DpidRange> range = DomainsFile.switches(switches);
    if (range.isEmpty()) {
      return refused(
          400,
          "'" + switches + "' is not a datapath id",
          "write up to 16 hexadecimal digits, or a range: 1-1f");
    }
    StoredDomains newest = node.domains().newest();
    if (decidedOn != newest.version()) {
      return outdated(decidedOn, newest.version());
    }
    DomainMap map = newest.map();
    if (domain != null && map.named(domain) == null) {
      List<String> names = map.domains().stream().map(one -> one.name()).toList();
      return refused(
          400,
          "there is no domain '" + domain + "'",
          Suggestion.nearest(domain, names)
              .map(near -> "did you mean '" + near + "'?")
              .orElse("add it with a file: domain show > FILE, domain set FILE"));
    }
    return propose(decidedOn, map.with(range.get(), domain));
  }

  private Answer propose(long decidedOn, DomainMap map) {
    try {
      return node.propose(decidedOn, map.withMasters(memberIds))
          .get(patienceMillis, TimeUnit.MILLISECONDS)
          .fold(known -> known(decidedOn, known), NodeDomains::unknown);
    } catch (TimeoutException | ExecutionException e) {
      return unknown(e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return unknown("the node stops");
    }
  }

  private static Answer known(long decidedOn, WriteResult<ProposeDomains.Answer> result) {
    return result.fold(
        answer ->
            answer.accepted()
                ? new Answer(202, new Accepted(answer.version()))
                : outdated(decidedOn, answer.version()),
        conflict -> {
          throw new IllegalStateException("a call has no conflict: " + conflict);
        },
        failure ->
            failure.cause() == Failure.Cause.COMPONENT_REFUSED
                ? refused(400, failure.reason(), LOOK)
                : refused(
                    503, "nothing was changed: " + failure.reason(), "see ./lockstep status"));
  }

  private static Answer unknown(String why) {
    return refused(503, "whether it was changed is not known: " + why, LOOK);
  }

  private static Answer outdated(long decidedOn, long newest) {
    String error =
        "decided on version " + decidedOn + " of the domains, the newest is version " + newest;
    return new Answer(
        OUTDATED, new Refused(error, LOOK + ", decide again, and give that version", newest));
  }

  private static Answer refused(int status, String error, String remedy) {
    return new Answer(status, new Refused(error, remedy, 0));
  }
}
