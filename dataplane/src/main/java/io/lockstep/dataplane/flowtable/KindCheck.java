package io.lockstep.dataplane.flowtable;

import io.lockstep.dataplane.flowtable.Action.Group;
import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.flowtable.Action.PopVlan;
import io.lockstep.dataplane.flowtable.Action.PushVlan;
import io.lockstep.dataplane.flowtable.Action.SetField;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.profile.EntryKind;
import io.lockstep.dataplane.profile.EntryKind.TypeRule;
import io.lockstep.dataplane.profile.FixedTable;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks entries of a table that takes certain kinds only. The numbers of the errors are those of
 * OpenFlow 1.3.5 section 7.4.4 that say most; specifications of fixed pipelines name none.
 */
final class KindCheck {
  private static final int VLAN_ID_MASK = 0xfff;

  private KindCheck() {}

  /**
   * Why the table does not take an entry; null where it takes it.
   *
   * @param entries that the table has
   */
  static @Nullable ModelError refusal(
      FixedTable table,
      FlowMatch match,
      int priority,
      Instructions instructions,
      Collection<FlowEntry> entries) {
    if (table.kinds().isEmpty() || (priority == 0 && match.isAny())) {
      return ModelError.FIXED_TABLE; // it takes none, or this is what is built in for a miss
    }
    ModelError error = null;
    for (EntryKind kind : table.kinds()) {
      ModelError wrong = matchError(kind, match);
      if (wrong == null) {
        ModelError bad = instructionsError(kind, match, instructions);
        return bad == null ? orderError(table, kind, match, instructions, entries) : bad;
      }
      error = error == null ? wrong : error;
    }
    return error;
  }

  /** Whether an entry of the table is of a kind. */
  private static boolean isOf(EntryKind kind, FlowMatch match) {
    return matchError(kind, match) == null;
  }

  private static @Nullable ModelError matchError(EntryKind kind, FlowMatch match) {
    Set<OxmField> fields = match.fields();
    if (!kind.allowed().containsAll(fields)) {
      return ModelError.BAD_FIELD;
    } else if (!fields.containsAll(kind.required())) {
      return ModelError.BAD_WILDCARDS;
    } else if (!Collections.disjoint(kind.exact(), match.maskedFields())) {
      return ModelError.BAD_MASK;
    }
    boolean used = match.uses(OxmField.VLAN_VID);
    long vlan = match.value(OxmField.VLAN_VID.slot());
    boolean fits =
        switch (kind.vlan()) {
          case ANY -> true;
          case UNTAGGED -> used && vlan == 0;
          case TAGGED -> !used || (vlan & VLAN_ID_MASK) != 0;
        };
    return fits && typeFits(kind.etherType(), match) ? null : ModelError.BAD_VALUE;
  }

  private static boolean typeFits(@Nullable TypeRule rule, FlowMatch match) {
    if (rule == null) {
      return true;
    }
    boolean isIt =
        match.uses(OxmField.ETH_TYPE) && match.value(OxmField.ETH_TYPE.slot()) == rule.value();
    return isIt != rule.not();
  }

  private static @Nullable ModelError instructionsError(
      EntryKind kind, FlowMatch match, Instructions instructions) {
    if (instructions.gotoTable() != kind.next()) {
      return ModelError.BAD_GOTO_TABLE;
    } else if ((instructions.clear() && !kind.clears()) || instructions.metadataMask() != 0) {
      return ModelError.UNSUPPORTED_INSTRUCTION;
    }
    Set<String> words = new HashSet<>();
    ModelError error = actionsError(kind.apply(), instructions.apply(), words);
    error = error == null ? actionsError(kind.write(), instructions.write(), words) : error;
    if (error != null) {
      return error;
    } else if (!words.containsAll(kind.must())) {
      return ModelError.UNSUPPORTED_INSTRUCTION;
    }
    return groupFits(match, instructions.write()) ? null : ModelError.BAD_OUT_GROUP;
  }

  private static @Nullable ModelError actionsError(
      Set<String> allowed, List<Action> actions, Set<String> words) {
    for (Action action : actions) {
      String word = word(action);
      if (!words.add(word)) {
        return ModelError.TOO_MANY_ACTIONS; // one of each at most
      } else if (!allowed.contains(word)) {
        return action instanceof SetField
            ? ModelError.BAD_SET_TYPE
            : action instanceof Output
                ? ModelError.BAD_OUT_PORT
                : action instanceof Group ? ModelError.BAD_OUT_GROUP : ModelError.BAD_ACTION_TYPE;
      }
    }
    return null;
  }

  private static String word(Action action) {
    if (action instanceof SetField set) {
      return set.field().name().toLowerCase(Locale.ROOT);
    } else if (action instanceof Output output) {
      return output.port() == PortNumbers.CONTROLLER ? EntryKind.CONTROLLER : EntryKind.OUTPUT;
    } else if (action instanceof Group group) {
      return GroupTable.type(group.id());
    } else if (action instanceof PushVlan) {
      return EntryKind.PUSH_VLAN;
    }
    return action instanceof PopVlan ? EntryKind.POP_VLAN : action.toString();
  }

  /** The VLAN of a group has to be the one that the entry matches, in every bit. */
  private static boolean groupFits(FlowMatch match, List<Action> actions) {
    for (Action action : actions) {
      if (action instanceof Group group
          && !(match.isExact(OxmField.VLAN_VID)
              && (match.value(OxmField.VLAN_VID.slot()) & VLAN_ID_MASK)
                  == GroupTable.vlan(group.id()))) {
        return false;
      }
    }
    return true;
  }

  /** An entry that assigns a VLAN needs another one before, which allows it on the port. */
  private static @Nullable ModelError orderError(
      FixedTable table,
      EntryKind kind,
      FlowMatch match,
      Instructions instructions,
      Collection<FlowEntry> entries) {
    EntryKind first = kind.allowedBy() == null ? null : table.kind(kind.allowedBy());
    if (first == null) {
      return null;
    }
    long vlan = -1;
    for (Action action : instructions.apply()) {
      vlan =
          action instanceof SetField set && set.field() == OxmField.VLAN_VID ? set.value() : vlan;
    }
    for (FlowEntry entry : entries) {
      if (isOf(first, entry.match())
          && entry.match().value(OxmField.IN_PORT.slot()) == match.value(OxmField.IN_PORT.slot())
          && entry.match().value(OxmField.VLAN_VID.slot()) == vlan) {
        return null;
      }
    }
    return ModelError.FIXED_TABLE;
  }
}
