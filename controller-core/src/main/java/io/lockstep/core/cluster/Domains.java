package io.lockstep.core.cluster;

import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The domains as this node's view of the store shows them: the only ones that it acts on. Before
 * the first version is in the store there are none. A switch whose domain changes with the version
 * on its way belongs to none until that is in force, so it has no master meanwhile. Thread-safe.
 */
public final class Domains {
  private final NodeConfig config;
  private final Membership membership;
  private final TableView<String, StoredDomains> versions;
  private final TableView<String, FollowerTable.Follower> followers;

  /** The last comparison: every report asks for it, and versions hardly ever change. */
  private volatile @Nullable Compared compared;

  /** The differences from one version. */
  private record Compared(StoredDomains version, List<Difference> differences) {}

  /** Declares the tables of domains. */
  public Domains(NodeConfig config, NodeState state, Membership membership) {
    this.config = config;
    this.membership = membership;
    this.versions = state.declare(DomainsTable.NAME, new DomainsTable());
    this.followers = state.declare(FollowerTable.NAME, new FollowerTable());
  }

  /** Runs a task on the control loop after each change; added before the start. */
  public void onChange(Runnable task) {
    versions.addListener((key, old, now) -> task.run());
  }

  /** The version in force; version 0 before there is a first one. */
  public StoredDomains current() {
    StoredDomains current = versions.known(DomainsTable.CURRENT);
    return current == null ? StoredDomains.none() : current;
  }

  /** The version on its way, or null. */
  public @Nullable StoredDomains next() {
    return versions.known(DomainsTable.NEXT);
  }

  /** The newest version: the one on its way, or the one in force. */
  public StoredDomains newest() {
    StoredDomains next = next();
    return next == null ? current() : next;
  }

  /** The domains in force. */
  public List<DomainConfig> inForce() {
    return current().map().domains();
  }

  /** The domain of a switch, or null where it is in none or its domain is changing. */
  public @Nullable DomainConfig domainOf(long dpid) {
    while (true) {
      StoredDomains current = current();
      boolean moving = moving(dpid);
      // A version that came into force between the two reads is no longer the one on its way.
      if (current().version() == current.version()) {
        return moving ? null : current.map().domainOf(dpid);
      }
    }
  }

  /** Whether the domain of a switch changes with the version on its way. */
  public boolean moving(long dpid) {
    StoredDomains next = next();
    return next != null && next.readable() && !current().map().agrees(next.map(), dpid);
  }

  /** The domain of this name that is in force, or null. */
  public @Nullable DomainConfig named(String name) {
    return current().map().named(name);
  }

  /**
   * The nodes in the order in which they should master a domain: the preferred ones, then all other
   * members in the order of their ids. Nodes whose files list members differently agree on the
   * order of any two nodes that both know.
   */
  public List<String> preference(DomainConfig domain) {
    List<String> order = new ArrayList<>(domain.preferredMasters());
    config.members().stream()
        .map(Member::nodeId)
        .sorted()
        .filter(node -> !order.contains(node))
        .forEach(order::add);
    return order;
  }

  /** The living nodes that the version on its way waits for, by name. */
  public List<String> waitsFor() {
    StoredDomains next = next();
    List<String> waiting = new ArrayList<>();
    if (next != null) {
      for (Map.Entry<String, Long> live : membership.liveNodes().entrySet()) {
        FollowerTable.Follower follower = followers.known(live.getKey());
        if (follower == null
            || follower.sessionId() != live.getValue()
            || follower.version() < next.version()) {
          waiting.add(live.getKey());
        }
      }
    }
    return waiting;
  }

  /** What the file says, with an order of masters in each domain; empty where it says nothing. */
  public DomainMap configured() {
    TreeMap<String, Member> members = new TreeMap<>();
    config.members().forEach(member -> members.put(member.nodeId(), member));
    return DomainMap.of(config.domains()).withMasters(members.keySet());
  }

  /** Where this node's file differs from the version in force; empty where it does not. */
  public List<Difference> differences() {
    StoredDomains current = current();
    Compared last = compared;
    if (last == null || !last.version().equals(current)) {
      last = new Compared(current, compare(current));
      compared = last;
    }
    return last.differences();
  }

  private List<Difference> compare(StoredDomains current) {
    return config.domains().isEmpty() || current.version() == 0
        ? List.of()
        : DomainDifferences.of(config.nodeId(), config.file(), config.domains(), current.map());
  }

  /** Why this release cannot act on the domains in the store; empty where it can. */
  public String unreadable() {
    StoredDomains newest = newest();
    StoredDomains wrong = current().readable() ? newest : current();
    return wrong.readable()
        ? ""
        : "the domains in the store have format "
            + wrong.format()
            + ", this release reads format "
            + DomainsTable.FORMAT
            + ": run the newer release";
  }
}
