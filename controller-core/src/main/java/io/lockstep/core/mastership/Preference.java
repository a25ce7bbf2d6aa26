package io.lockstep.core.mastership;

import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.Domains;
import io.lockstep.core.cluster.Drains;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which node should master a domain, by what this node knows: first the one to which an operator
 * moved it, then the preferred masters, then all others; drained nodes come last. Thread-safe.
 */
public final class Preference {
  private final Domains domains;
  private final Drains drains;
  private final Membership membership;
  private final Ownership ownership;
  private final TableView<String, Move> moves;

  /** Declares the table of moves. */
  public Preference(
      Domains domains, Drains drains, NodeState state, Membership membership, Ownership ownership) {
    this.domains = domains;
    this.drains = drains;
    this.membership = membership;
    this.ownership = ownership;
    this.moves = state.declare(MoveTable.NAME, new MoveTable());
  }

  /** The domains. */
  Domains domains() {
    return domains;
  }

  /** Runs a task on the control loop after each change of a wish; added before the start. */
  void onChange(Runnable task) {
    moves.addListener((domain, old, now) -> task.run());
    drains.onChange(task);
  }

  /** The nodes in the order in which they should master a domain. */
  public List<String> order(DomainConfig domain) {
    List<String> order = new ArrayList<>(domains.preference(domain));
    Move move = move(domain.name());
    if (move != null) {
      order.remove(move.node());
      order.add(0, move.node());
    }
    List<String> last = order.stream().filter(drains::isDrained).toList();
    order.removeAll(last);
    order.addAll(last);
    return order;
  }

  /** The operator's wish for a domain that counts now, or null. */
  public @Nullable Move move(String domain) {
    Move move = moves.known(domain);
    if (move == null
        || move.sessionId() == 0
        || drains.isDrained(move.node())
        || membership.sessionOf(move.node()) != move.sessionId()) {
      return null;
    }
    DomainRecord record = ownership.domains().known(domain);
    return move.stays() || move.epoch() == (record == null ? 0 : record.epoch()) ? move : null;
  }

  /** Whether a node is drained. */
  public boolean isDrained(String node) {
    return drains.isDrained(node);
  }

  /** Whether a node that is not drained has an open session. */
  boolean livesUndrained() {
    return membership.liveNodes().keySet().stream().anyMatch(node -> !drains.isDrained(node));
  }
}
