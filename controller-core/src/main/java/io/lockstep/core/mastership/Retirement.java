package io.lockstep.core.mastership;

import io.lockstep.core.cluster.Connections;
import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.Domains;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.TableView;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Gives away all domains of a node that stops, and waits until the next masters have the roles of
 * the switches. A domain that no other node can take stays. Owned by the control loop.
 */
final class Retirement {
  /** How long all of it may take. */
  static final long DEADLINE_MILLIS = 3_000;

  private static final long LOOK_MILLIS = 10;

  private final Domains domains;
  private final Preference preference;
  private final ControlLoop loop;
  private final Membership membership;
  private final Connections connections;
  private final Ownership ownership;
  private final TableView<String, HandOverPlan> plans;
  private final HandOver handOver;

  /** What was given away, by domain. */
  private final Map<String, Given> given = new HashMap<>();

  private @Nullable CompletableFuture<Void> end;

  private record Given(long epoch, long sessionId) {}

  Retirement(
      Domains domains,
      Preference preference,
      ControlLoop loop,
      Membership membership,
      Connections connections,
      Ownership ownership,
      TableView<String, HandOverPlan> plans,
      HandOver handOver) {
    this.domains = domains;
    this.preference = preference;
    this.loop = loop;
    this.membership = membership;
    this.connections = connections;
    this.ownership = ownership;
    this.plans = plans;
    this.handOver = handOver;
  }

  /** Begins; completes when nothing is left to wait for, or the deadline has passed. */
  CompletableFuture<Void> begin() {
    CompletableFuture<Void> running = end;
    if (running == null) {
      running = new CompletableFuture<>();
      end = running;
      CompletableFuture<Void> now = running;
      membership.retire();
      loop.schedule(DEADLINE_MILLIS, () -> now.complete(null));
      look(now);
    }
    return running;
  }

  private void look(CompletableFuture<Void> now) {
    for (DomainConfig domain : domains.inForce()) {
      Fence own = ownership.ownDomain(domain.name());
      if (own != null && !handOver.isRunning(domain.name()) && !handOver.isLeaving(own)) {
        giveAway(domain, own);
      }
    }
    if (!handOver.isRunning() && given.entrySet().stream().allMatch(this::taken)) {
      now.complete(null);
    } else if (!now.isDone()) {
      loop.schedule(LOOK_MILLIS, () -> look(now));
    }
  }

  private void giveAway(DomainConfig domain, Fence own) {
    String next = HandBack.reaching(domain, preference, membership, connections);
    if (next != null) {
      long session = membership.availableSessionOf(next);
      given.put(domain.name(), new Given(own.epoch(), session));
      handOver.begin(own, next, session);
    }
  }

  /** The next master removes the plan when it has the roles; where it dies nothing is left. */
  private boolean taken(Map.Entry<String, Given> one) {
    HandOverPlan plan = plans.known(one.getKey());
    return plan == null
        || plan.epoch() != one.getValue().epoch()
        || !membership.sessionOpen(one.getValue().sessionId());
  }
}
