package io.lockstep.core.staticflow;

import io.lockstep.core.flow.FlowCatalog;
import io.lockstep.core.flow.RoomRules;
import io.lockstep.core.resource.ResourceOffer;
import io.lockstep.core.state.Alarm;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableView;
import io.lockstep.store.StoreClient;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.onosproject.net.flow.FlowRule;

/** Static flows of a cluster, as a node offers them. Thread-safe. */
public final class StaticFlows {
  /** The application that static flows belong to, in lists. */
  public static final String OWNER = "static";

  /** How long an answer waits until the node's own view shows the change. */
  private static final long VISIBLE_MILLIS = 1_000;

  private static final long OWNER_MASK = 0xffff_0000_0000_0000L;

  private final RoomRules rules;

  /** The ids that operators chose, by those of the rules. Written on the control loop. */
  private final Map<Long, String> ids = new ConcurrentHashMap<>();

  private final ResourceOffer offer;

  /** Declares the table. */
  public StaticFlows(NodeState state, RoomRules rules, StoreClient store, Alarm alarm) {
    this.rules = rules;
    TableView<String, StaticFlow> flows =
        state.declare(StaticFlowTable.NAME, new StaticFlowTable());
    flows.addListener(
        (id, old, now) -> {
          if (old != null) {
            ids.remove(old.ruleId(id));
          }
          if (now != null) {
            ids.put(now.ruleId(id), id);
          }
        });
    offer =
        new StaticFlowOffer(
            flows,
            rules,
            store,
            (version, task) -> {
              state.whenVisible(version, task);
              // Whichever comes first completes the answer.
              alarm.after(VISIBLE_MILLIS, task);
            });
  }

  /** What operators may change. */
  public ResourceOffer offer() {
    return offer;
  }

  /** All intended rules, also those that no operator wrote. */
  public FlowCatalog catalog() {
    return rules.catalog();
  }

  /** Whether an operator wrote a rule. */
  public static boolean isStatic(FlowRule rule) {
    return (rule.id().value() & OWNER_MASK) == StaticFlow.OWNER;
  }

  /** The ids that operators chose, by those of the rules; a live view. */
  public Map<Long, String> ids() {
    return Collections.unmodifiableMap(ids);
  }
}
