package io.lockstep.core.flow;

import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableView;
import io.lockstep.core.state.TableView.Held;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;

/** Intended rules and their states as this node knows them now. Thread-safe to read. */
public final class RuleTables {
  /** The tables, for every client to declare. */
  public static final List<String> NAMES = List.of(IntentTable.NAME, RuleStateTable.NAME);

  private final TableView<IntentKey, Intent> intents;
  private final TableView<IntentKey, RuleState> states;
  private final NodeState state;

  /** Declares the tables. */
  public RuleTables(NodeState state) {
    this.state = state;
    intents = state.declare(IntentTable.NAME, new IntentTable());
    states = state.declare(RuleStateTable.NAME, new RuleStateTable());
  }

  TableView<IntentKey, Intent> intents() {
    return intents;
  }

  TableView<IntentKey, RuleState> states() {
    return states;
  }

  /** The tables show every change up to this index. Thread-safe. */
  long index() {
    return state.index();
  }

  /** Whether the tables show everything up to this version. */
  boolean indexReached(long version) {
    return state.index() >= version;
  }

  /** Runs a task on the control loop as soon as the tables show everything up to this version. */
  void whenVisible(long version, Runnable task) {
    state.whenVisible(version, task);
  }

  List<IntentKey> keysOf(long dpid) {
    List<IntentKey> keys = new ArrayList<>();
    for (IntentKey key : intents.entries().keySet()) {
      if (key.dpid() == dpid) {
        keys.add(key);
      }
    }
    return keys;
  }

  /** The state of the present intention; null before the master wrote one. */
  @Nullable RuleState present(IntentKey key) {
    Held<Intent> intent = intents.held(key);
    RuleState known = states.known(key);
    return intent != null && known != null && known.intentVersion() == intent.version()
        ? known
        : null;
  }

  FlowEntryState visible(IntentKey key) {
    Held<Intent> intent = intents.held(key);
    if (intent == null) {
      return FlowEntryState.REMOVED;
    }
    if (intent.value().remove()) {
      return FlowEntryState.PENDING_REMOVE;
    }
    RuleState known = present(key);
    if (known == null) {
      return FlowEntryState.PENDING_ADD;
    }
    return known.installed() ? FlowEntryState.ADDED : FlowEntryState.FAILED;
  }
}
