package io.lockstep.core.mastership;

import io.lockstep.core.cluster.Connections;
import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.Domains;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableView;
import io.lockstep.store.typed.Store;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * All that moves a domain from one living node to another: when ({@link HandBack}, {@link
 * Retirement}) and how ({@link HandOver} here, {@link TakeOvers} at the next master). Owned by the
 * control loop.
 */
final class HandOvers {
  private final Domains domains;
  private final HandOver handOver;
  private final HandBack handBack;
  private final TakeOvers takeOvers;
  private final Retirement retirement;

  /** What both parts ask and do about the switches of a domain. */
  interface Switches extends HandOver.Switches, TakeOvers.Switches {
    @Override
    void review(String domain);
  }

  HandOvers(
      NodeConfig config,
      Preference preference,
      Store store,
      NodeState state,
      Membership membership,
      Connections connections,
      Ownership ownership,
      LongSupplier nanoClock,
      Switches switches,
      MastershipCounters counters) {
    this.domains = preference.domains();
    TableView<String, HandOverPlan> plans = state.declare(HandOverTable.NAME, new HandOverTable());
    handOver =
        new HandOver(
            config.nodeId(),
            store,
            state.loop(),
            membership,
            ownership,
            plans,
            switches,
            nanoClock,
            counters);
    handBack =
        new HandBack(
            config, domains, preference, membership, connections, ownership, nanoClock, handOver);
    takeOvers =
        new TakeOvers(
            domains,
            store,
            state.loop(),
            membership,
            ownership,
            plans,
            nanoClock,
            switches,
            handOver::isRunning);
    retirement =
        new Retirement(
            domains, preference, state.loop(), membership, connections, ownership, plans, handOver);
  }

  /** Called every now and then. */
  void tick() {
    handOver.tick(domains.inForce().stream().map(DomainConfig::name).collect(Collectors.toSet()));
    handBack.tick();
    takeOvers.look();
  }

  /** The master of a domain changed. */
  void domainChanged() {
    takeOvers.look();
  }

  /** Gives a domain of this node to another, if there is one. */
  void relinquish(DomainConfig domain) {
    handBack.relinquish(domain);
  }

  /** Gives all domains away; completes when that is done or takes too long. */
  CompletableFuture<Void> retire() {
    return retirement.begin();
  }

  /** Whether this node is giving the domain away and must not act on it any longer. */
  boolean isLeaving(Fence domain) {
    return handOver.isLeaving(domain);
  }

  /** Whether this node is to listen to the domain's switches, whose master plans to leave. */
  boolean listens(String domain) {
    return takeOvers.listens(domain);
  }

  /** See {@link TakeOvers#expected}. */
  long expected(String domain) {
    return takeOvers.expected(domain);
  }
}
