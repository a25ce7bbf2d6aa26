package io.lockstep.bench.openflow;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Matches answers to packet-ins. A packet-in is known by its switch and the pair of its source and
 * destination addresses: the first packet-out whose frame carries that pair, or flow-mod whose
 * match names it, on any connection of that switch, answers it. A pair is outstanding at most once,
 * so there is never a choice. The transaction id is of no use here: controllers need not repeat
 * that of a packet-in.
 *
 * <p>What matches nothing is counted and ignored: link probes, the packet-out that follows a
 * flow-mod which answered already, copies of a flooded packet, answers after the deadline.
 *
 * <p>Owned by the event loop.
 */
final class FlowExchange {
  /** A packet-in on its way. */
  static final class Flow {
    final int switchIndex;
    final int source;
    final int destination;
    final long sentNanos;
    private final Pair pair;
    private boolean over;

    private Flow(int switchIndex, int source, int destination, long sentNanos, Pair pair) {
      this.switchIndex = switchIndex;
      this.source = source;
      this.destination = destination;
      this.sentNanos = sentNanos;
      this.pair = pair;
    }
  }

  private record Pair(int switchIndex, long source, long destination) {}

  private final Map<Pair, Flow> outstanding = new HashMap<>();
  private final ArrayDeque<Flow> bySendTime = new ArrayDeque<>();
  private final LoadPlan plan;
  private long packetOuts;
  private long flowMods;
  private long unrelated;

  FlowExchange(LoadPlan plan) {
    this.plan = plan;
  }

  /** How many packet-ins wait for their answer. */
  int size() {
    return outstanding.size();
  }

  /** Whether this pair waits for its answer already. */
  boolean isOutstanding(int switchIndex, int source, int destination) {
    return outstanding.containsKey(pair(switchIndex, source, destination));
  }

  /**
   * Remembers a packet-in that is being sent.
   *
   * @param destination a host, or -1 for a broadcast
   * @throws IllegalStateException where the pair is outstanding
   */
  Flow sent(int switchIndex, int source, int destination, long nowNanos) {
    Pair pair = pair(switchIndex, source, destination);
    Flow flow = new Flow(switchIndex, source, destination, nowNanos, pair);
    if (outstanding.putIfAbsent(pair, flow) != null) {
      throw new IllegalStateException("sent twice: " + pair);
    }
    bySendTime.addLast(flow);
    return flow;
  }

  /** The packet-in that this answers, which is over now, or null. */
  @Nullable Flow answered(int switchIndex, Answer answer) {
    Flow flow = outstanding.remove(new Pair(switchIndex, answer.source(), answer.destination()));
    if (flow == null) {
      unrelated++;
      return null;
    }
    flow.over = true;
    if (answer.kind() == Answer.Kind.FLOW_MOD) {
      flowMods++;
    } else {
      packetOuts++;
    }
    return flow;
  }

  /**
   * The oldest packet-in sent at {@code sentBeforeNanos} or earlier, which is over now, or null.
   */
  @Nullable Flow expired(long sentBeforeNanos) {
    Flow flow;
    while ((flow = bySendTime.peekFirst()) != null
        && (flow.over || flow.sentNanos - sentBeforeNanos <= 0)) {
      bySendTime.removeFirst();
      if (!flow.over) {
        flow.over = true;
        outstanding.remove(flow.pair);
        return flow;
      }
    }
    return null;
  }

  /** Packet-ins answered by a packet-out first. */
  long packetOuts() {
    return packetOuts;
  }

  /** Packet-ins answered by a flow-mod first. */
  long flowMods() {
    return flowMods;
  }

  /** Packet-outs and flow-mods that answered nothing outstanding. */
  long unrelated() {
    return unrelated;
  }

  private Pair pair(int switchIndex, int source, int destination) {
    return new Pair(
        switchIndex,
        plan.mac(switchIndex, source),
        destination < 0 ? PacketIns.BROADCAST : plan.mac(switchIndex, destination));
  }
}
