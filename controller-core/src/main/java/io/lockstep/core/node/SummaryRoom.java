package io.lockstep.core.node;

import io.lockstep.core.cluster.NodeSummary;
import io.lockstep.core.cluster.SummaryTable;
import io.lockstep.core.state.Continuations;
import io.lockstep.core.state.TableView;
import io.lockstep.store.Bytes;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.TableDef;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Summaries of all nodes, so that any one node can answer for the others (docs/adr/0039). Offers
 * itself. Thread-safe.
 */
public final class SummaryRoom implements NodeRoom {
  private static final SummaryTable CODEC = new SummaryTable();
  private static final TableDef<String, NodeSummary> SUMMARIES =
      TableDef.of(
          SummaryTable.NAME,
          Codec.of(CODEC::encodeKey, CODEC::decodeKey),
          Codec.of(CODEC::encodeValue, CODEC::decodeValue));

  private final NodeContext node;
  private final TableView<String, NodeSummary> summaries;

  /** Of the newest summary of each node that came while this node followed the store. */
  private final Map<String, Arrival> arrivals = new ConcurrentHashMap<>();

  /** When a summary came: by the monotonic clock, and how far the writer's wall clock was ahead. */
  private record Arrival(long nanos, long aheadMillis) {}

  private final AtomicBoolean isWriting = new AtomicBoolean();

  /**
   * A summary as this node knows it.
   *
   * @param ageMillis how long ago it arrived here. After a start of this node it may be older, and
   *     then the node's clock says how old it is
   * @param aheadMillis how far the wall clock of its node was ahead of this one's when it came; the
   *     time on its way makes it less. 0 where that is not known
   */
  public record Known(NodeSummary summary, long ageMillis, long aheadMillis) {}

  private SummaryRoom(NodeContext node) {
    this.node = node;
    summaries = node.state().declare(SummaryTable.NAME, CODEC);
    summaries.addListener(
        (id, old, now) -> {
          // Before the first view is complete a row may be of any age.
          if (now != null && node.state().current().isDone()) {
            arrivals.put(
                id,
                new Arrival(
                    node.nanoClock().getAsLong(),
                    now.takenMillis() - node.wallMillis().getAsLong()));
          } else if (now == null) {
            arrivals.remove(id);
          }
        });
    node.services().offer(SummaryRoom.class, this);
  }

  /** Makes the room in a node. */
  public static NodeRoom.Factory serving() {
    return SummaryRoom::new;
  }

  /**
   * Publishes what is to be said of this node. Does nothing where the node does not take part, or
   * its last summary is still on its way. Does not wait.
   *
   * @return whether it was submitted
   */
  public boolean publish(Bytes content) {
    long session = node.membership().activeSession();
    if (session == 0 || !isWriting.compareAndSet(false, true)) {
      return false;
    }
    NodeSummary summary = new NodeSummary(session, node.wallMillis().getAsLong(), content);
    // An unknown outcome needs no care: the next summary replaces this one.
    Continuations.logFailure(
        "publishing the summary of this node",
        node.typed()
            .table(SUMMARIES)
            .put(node.config().nodeId(), summary)
            .whenComplete((outcome, failure) -> isWriting.set(false)));
    return true;
  }

  /** The newest summary of each node that ever published one, by node id. */
  public Map<String, Known> summaries() {
    long nowNanos = node.nanoClock().getAsLong();
    long wallMillis = node.wallMillis().getAsLong();
    Map<String, Known> all = new TreeMap<>();
    summaries
        .entries()
        .forEach(
            (id, held) -> {
              Arrival arrived = arrivals.get(id);
              long age =
                  arrived == null
                      ? wallMillis - held.value().takenMillis()
                      : TimeUnit.NANOSECONDS.toMillis(nowNanos - arrived.nanos());
              long ahead = arrived == null ? 0 : arrived.aheadMillis();
              all.put(id, new Known(held.value(), Math.max(0, age), ahead));
            });
    return all;
  }
}
