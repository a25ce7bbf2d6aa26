package io.lockstep.dataplane.flowtable;

import io.lockstep.dataplane.packet.OxmField;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a flow entry does, carried out in this order (OpenFlow 1.3.5 section 5.9).
 *
 * @param apply at once, in list order
 * @param clear empties the action set
 * @param write merged into the action set
 * @param metadata bits for the metadata register
 * @param metadataMask which bits of it to write
 * @param gotoTable next table, or {@link #NO_TABLE}
 */
public record Instructions(
    List<Action> apply,
    boolean clear,
    List<Action> write,
    long metadata,
    long metadataMask,
    int gotoTable) {
  /** The pipeline ends here. */
  public static final int NO_TABLE = -1;

  /** Drops: nothing applied, nothing written, no next table. */
  public static final Instructions NONE =
      new Instructions(List.of(), false, List.of(), 0, 0, NO_TABLE);

  public Instructions {
    apply = List.copyOf(apply);
    write = List.copyOf(write);
  }

  /** Only apply-actions. */
  public static Instructions applying(Action... actions) {
    return new Instructions(List.of(actions), false, List.of(), 0, 0, NO_TABLE);
  }

  /** Only write-actions. */
  public static Instructions writing(Action... actions) {
    return new Instructions(List.of(), false, List.of(actions), 0, 0, NO_TABLE);
  }

  /** Only goto-table. */
  public static Instructions continuingAt(int table) {
    return NONE.thenTable(table);
  }

  /** The same, going on at another table. */
  public Instructions thenTable(int table) {
    return new Instructions(apply, clear, write, metadata, metadataMask, table);
  }

  /** The fields that the actions set; pushing a VLAN header sets its id. */
  public Set<OxmField> rewrites() {
    EnumSet<OxmField> fields = EnumSet.noneOf(OxmField.class);
    addRewrites(apply, fields);
    addRewrites(write, fields);
    return fields;
  }

  private static void addRewrites(List<Action> actions, Set<OxmField> fields) {
    for (Action action : actions) {
      if (action instanceof Action.SetField set) {
        fields.add(set.field());
      } else if (action instanceof Action.PushVlan) {
        fields.add(OxmField.VLAN_VID);
      }
    }
  }

  /** Whether some output action names this port (the out_port filter, section 6.4). */
  public boolean outputsTo(int port) {
    return outputsTo(apply, port) || outputsTo(write, port);
  }

  /** Whether some action sends to this group; {@link GroupMod#ALL_GROUPS} asks for any. */
  boolean usesGroup(int id) {
    return Stream.concat(apply.stream(), write.stream())
        .anyMatch(
            action ->
                action instanceof Action.Group group
                    && (id == GroupMod.ALL_GROUPS || group.id() == id));
  }

  private static boolean outputsTo(List<Action> actions, int port) {
    for (Action action : actions) {
      if (action instanceof Action.Output output && output.port() == port) {
        return true;
      }
    }
    return false;
  }
}
