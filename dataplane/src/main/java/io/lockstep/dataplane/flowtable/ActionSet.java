package io.lockstep.dataplane.flowtable;

import io.lockstep.dataplane.flowtable.Action.DecTtl;
import io.lockstep.dataplane.flowtable.Action.Group;
import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.flowtable.Action.PopVlan;
import io.lockstep.dataplane.flowtable.Action.PushVlan;
import io.lockstep.dataplane.flowtable.Action.SetField;
import io.lockstep.dataplane.flowtable.Action.SetTtl;
import io.lockstep.dataplane.packet.OxmField;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The actions a packet carries to the end of the pipeline: one of each type, one set-field per
 * field, executed in the order the specification fixes (OpenFlow 1.3.5 section 5.10).
 */
final class ActionSet {
  private @Nullable PopVlan pop;
  private @Nullable PushVlan push;
  private @Nullable DecTtl decTtl;
  private @Nullable SetTtl setTtl;
  private @Nullable Output output;
  private @Nullable Group group;
  private final Map<OxmField, SetField> setFields = new EnumMap<>(OxmField.class);

  /** Merges actions; the newer one of a type replaces the older. */
  void write(List<Action> actions) {
    for (Action action : actions) {
      if (action instanceof Output newer) {
        output = newer;
      } else if (action instanceof SetField newer) {
        setFields.put(newer.field(), newer);
      } else if (action instanceof PushVlan newer) {
        push = newer;
      } else if (action instanceof PopVlan newer) {
        pop = newer;
      } else if (action instanceof SetTtl newer) {
        setTtl = newer;
      } else if (action instanceof DecTtl newer) {
        decTtl = newer;
      } else if (action instanceof Group newer) {
        group = newer;
      }
    }
  }

  void clear() {
    pop = null;
    push = null;
    decTtl = null;
    setTtl = null;
    output = null;
    group = null;
    setFields.clear();
  }

  /**
   * The actions in the order of section 5.10: pop, push, decrement, set, then the group, or the
   * output where there is none.
   */
  List<Action> inOrder() {
    List<Action> ordered = new ArrayList<>();
    addIfThere(ordered, pop);
    addIfThere(ordered, push);
    addIfThere(ordered, decTtl);
    addIfThere(ordered, setTtl);
    ordered.addAll(setFields.values());
    addIfThere(ordered, group == null ? output : group);
    return ordered;
  }

  private static void addIfThere(List<Action> actions, @Nullable Action action) {
    if (action != null) {
      actions.add(action);
    }
  }
}
