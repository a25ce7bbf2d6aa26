package io.lockstep.apps.loadbalancer;

import io.lockstep.apps.loadbalancer.state.ConnectionAnswer.Status;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.Instruction.Count;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What the load balancer counts for {@code /metrics}; docs/LOAD_BALANCER.md lists it. */
final class BalancerCounts {
  static final Count REPLY_FOUND = new Count("reply_found");
  static final Count NO_SUCH_PORT = new Count("refused_no_such_port");
  static final Count MEMBER_UNKNOWN = new Count("dropped_member_unknown");
  static final Count NO_WAY = new Count("dropped_no_way_to_member");
  static final Count MALFORMED = new Count("dropped_malformed");
  static final Count NOT_SERVED = new Count("dropped_not_served");
  static final Count PROBE_SENT = new Count("probe_sent");
  static final Count PROBE_MISSED = new Count("probe_missed");
  static final Count PROBE_ANSWERED = new Count("probe_answered");
  static final Count MEMBER_DOWN = new Count("member_down");
  static final Count MEMBER_UP = new Count("member_up");

  private static final Map<Status, Count> ANSWERS = new EnumMap<>(Status.class);

  static {
    for (Status status : Status.values()) {
      boolean isConnection = status == Status.TAKEN || status == Status.KEPT;
      ANSWERS.put(
          status, new Count((isConnection ? "" : "refused_") + status.word().replace('-', '_')));
    }
  }

  private BalancerCounts() {}

  /** What the store answered to a packet of a client. */
  static Count of(Status status) {
    Count count = ANSWERS.get(status);
    if (count == null) {
      throw new IllegalStateException("no count for " + status);
    }
    return count;
  }

  /** The same decision, counted. */
  static Decision with(Count count, Decision decision) {
    if (!(decision instanceof Decision.Act act)) {
      throw new IllegalArgumentException("only what is carried out is counted: " + decision);
    }
    List<Instruction> steps = new ArrayList<>(act.instructions());
    steps.add(count);
    return new Decision.Act(steps, act.passesOn());
  }
}
