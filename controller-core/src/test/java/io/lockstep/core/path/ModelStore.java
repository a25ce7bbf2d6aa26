package io.lockstep.core.path;

import io.lockstep.core.flow.RoomRules;
import io.lockstep.core.flow.RoomRules.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The store of a model: one path, its rules and tags, with every state that it ever had. */
final class ModelStore {
  /** An intention with the version of its entry. */
  record Intent(SlotRule rule, boolean remove, long version) {}

  /** What a master said of a version of an intention. */
  record Said(long intentVersion, boolean installed) {}

  /** The store after one operation. */
  record Snapshot(
      long index,
      @Nullable PathRow row,
      long rowVersion,
      Map<PathSlot, Intent> intents,
      Map<PathSlot, Said> states,
      Set<Integer> tags) {

    RoomRules.Known known(PathSlot slot) {
      Intent intent = intents.get(slot);
      if (intent == null) {
        return new RoomRules.Known(State.ABSENT, "");
      }
      if (intent.remove()) {
        return new RoomRules.Known(State.LEAVING, "");
      }
      Said said = states.get(slot);
      if (said == null || said.intentVersion() != intent.version()) {
        return new RoomRules.Known(State.WAITING, "");
      }
      return said.installed()
          ? new RoomRules.Known(State.INSTALLED, "")
          : new RoomRules.Known(State.REFUSED, "the model refuses it");
    }

    @Nullable Said present(PathSlot slot) {
      Intent intent = intents.get(slot);
      Said said = states.get(slot);
      return intent != null && said != null && said.intentVersion() == intent.version()
          ? said
          : null;
    }
  }

  final List<Snapshot> history = new ArrayList<>();

  ModelStore() {
    history.add(new Snapshot(0, null, 0, Map.of(), Map.of(), Set.of()));
  }

  Snapshot now() {
    return history.get(history.size() - 1);
  }

  /** A guarded batch, as {@link PathBatches} makes it; false where a guard fails. */
  boolean write(long rowVersion, NextStep.Write write) {
    Snapshot now = now();
    long current = now.row() == null ? 0 : now.rowVersion();
    if (current != rowVersion || (write.takes() != 0 && now.tags().contains(write.takes()))) {
      return false;
    }
    long index = now.index() + 1;
    Map<PathSlot, Intent> intents = new HashMap<>(now.intents());
    write.puts().forEach(rule -> intents.put(rule.slot(), new Intent(rule, false, index)));
    write.removes().forEach(rule -> intents.put(rule.slot(), new Intent(rule, true, index)));
    Set<Integer> tags = new HashSet<>(now.tags());
    tags.removeAll(write.frees());
    if (write.takes() != 0) {
      tags.add(write.takes());
    }
    history.add(
        new Snapshot(
            index, write.row(), index, Map.copyOf(intents), now.states(), Set.copyOf(tags)));
    return true;
  }

  /** A master's report; the caller checked its fence. */
  void said(PathSlot slot, Said said) {
    Snapshot now = now();
    Map<PathSlot, Said> states = new HashMap<>(now.states());
    states.put(slot, said);
    history.add(
        new Snapshot(
            now.index() + 1,
            now.row(),
            now.rowVersion(),
            now.intents(),
            Map.copyOf(states),
            now.tags()));
  }

  /** Removes the intention of a rule that its switch has lost, unless it is another by now. */
  void forget(PathSlot slot, long intentVersion) {
    Snapshot now = now();
    Intent intent = now.intents().get(slot);
    if (intent == null || intent.version() != intentVersion) {
      return;
    }
    Map<PathSlot, Intent> intents = new HashMap<>(now.intents());
    intents.remove(slot);
    history.add(
        new Snapshot(
            now.index() + 1,
            now.row(),
            now.rowVersion(),
            Map.copyOf(intents),
            now.states(),
            now.tags()));
  }
}
