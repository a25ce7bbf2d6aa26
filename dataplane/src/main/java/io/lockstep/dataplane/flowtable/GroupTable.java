package io.lockstep.dataplane.flowtable;

import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.flowtable.Action.PopVlan;
import io.lockstep.dataplane.profile.EntryKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The groups of a switch (OpenFlow 1.3.5 sections 5.6 and 6.5). It knows one type: L2 interface
 * groups of OF-DPA, whose id names a VLAN and a port (OF-DPA Abstract Switch Specification 2.01,
 * section 4.3.1). Their only bucket sends to that port, with the VLAN tag or without. Owned by the
 * switch's thread.
 */
public final class GroupTable {
  /** Groups at most; the specification names no bound. */
  static final int MAX_GROUPS = 65_536;

  private static final int TYPE_SHIFT = 28;
  private static final int VLAN_SHIFT = 16;
  private static final int VLAN_MASK = 0xfff;
  private static final int PORT_MASK = 0xffff;

  private final Set<String> types;
  private final IntPredicate portExists;
  private final Map<Integer, List<Action>> buckets = new TreeMap<>();

  /**
   * An empty table.
   *
   * @param types of groups that the switch knows
   */
  GroupTable(Set<String> types, IntPredicate portExists) {
    this.types = types;
    this.portExists = portExists;
  }

  /** Whether the switch knows any groups. */
  public boolean isSupported() {
    return !types.isEmpty();
  }

  /** The actions of each group, by id; a view. */
  public Map<Integer, List<Action>> groups() {
    return Collections.unmodifiableMap(buckets);
  }

  private boolean exists(int id) {
    return buckets.containsKey(id);
  }

  /** Why no action can send to a group; null where one can. */
  @Nullable ModelError whyNoAction(int id) {
    if (!isSupported()) {
      return ModelError.BAD_ACTION_TYPE;
    }
    return exists(id) ? null : ModelError.BAD_OUT_GROUP;
  }

  /** The actions of a group; null where there is none. */
  @Nullable List<Action> bucket(int id) {
    return buckets.get(id);
  }

  /** The word of a group's type in a profile. */
  static String type(int id) {
    return id >>> TYPE_SHIFT == 0 ? EntryKind.L2_INTERFACE : "unknown";
  }

  /** The VLAN of an L2 interface group. */
  static int vlan(int id) {
    return id >>> VLAN_SHIFT & VLAN_MASK;
  }

  private static int port(int id) {
    return id & PORT_MASK;
  }

  /** Carries a group-mod out; empty when done, else the error, with nothing changed. */
  Optional<ModelError> apply(GroupMod mod) {
    if (mod.command() == GroupMod.Command.DELETE) {
      if (mod.id() == GroupMod.ALL_GROUPS) {
        buckets.clear();
      } else {
        buckets.remove(mod.id());
      }
      return Optional.empty();
    }
    boolean there = exists(mod.id());
    if (mod.command() == GroupMod.Command.ADD && there) {
      return Optional.of(ModelError.GROUP_EXISTS);
    } else if (mod.command() == GroupMod.Command.MODIFY && !there) {
      return Optional.of(ModelError.UNKNOWN_GROUP);
    } else if (!there && buckets.size() >= MAX_GROUPS) {
      return Optional.of(ModelError.OUT_OF_GROUPS);
    }
    Optional<ModelError> error = refusal(mod);
    if (error.isEmpty()) {
      buckets.put(mod.id(), mod.buckets().get(0));
    }
    return error;
  }

  private Optional<ModelError> refusal(GroupMod mod) {
    if (!types.contains(type(mod.id())) || vlan(mod.id()) == 0) {
      return Optional.of(ModelError.INVALID_GROUP);
    } else if (!mod.indirect()) {
      return Optional.of(ModelError.BAD_GROUP_TYPE);
    }
    List<Action> actions = mod.buckets().size() == 1 ? mod.buckets().get(0) : List.of();
    List<Action> rest = new ArrayList<>(actions);
    if (!rest.isEmpty() && rest.get(0) instanceof PopVlan) {
      rest.remove(0);
    }
    boolean toItsPort =
        rest.size() == 1
            && rest.get(0) instanceof Output output
            && output.port() == port(mod.id())
            && portExists.test(output.port());
    return toItsPort ? Optional.empty() : Optional.of(ModelError.BAD_BUCKET);
  }
}
