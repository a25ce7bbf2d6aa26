package io.lockstep.dataplane.flowtable;

import io.lockstep.dataplane.flowtable.Action.Group;
import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.flowtable.Action.PushVlan;
import io.lockstep.dataplane.flowtable.Action.SetField;
import io.lockstep.dataplane.flowtable.Action.SetTtl;
import io.lockstep.dataplane.packet.EtherTypes;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.packet.Packet;
import io.lockstep.dataplane.profile.FixedTable;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.profile.TableProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one switch and the way of a packet through them (OpenFlow 1.3.5 section 5.1). Owned
 * by the switch's thread.
 */
public final class Pipeline {
  /** Cookie of a packet-in that no entry caused. */
  public static final long NO_COOKIE = -1L;

  private static final int MAX_TABLES = 255;

  private final List<FlowTable> tables;
  private final @Nullable FlowTable[] byId = new FlowTable[MAX_TABLES];
  private final GroupTable groups;
  private final ActionCheck actions;

  /**
   * The pipeline of a model of switch.
   *
   * @param portExists whether a physical port number is in use
   * @param removals called for every entry that goes and had asked for a notice
   */
  public Pipeline(
      HardwareProfile profile, IntPredicate portExists, Consumer<FlowRemoved> removals) {
    List<TableProfile> shared = profile.sharedTables();
    if (shared.isEmpty() || shared.size() > 254) {
      throw new IllegalArgumentException("1 to 254 tables, not " + shared.size());
    }
    this.tables = new ArrayList<>(shared.size());
    for (TableProfile each : shared) {
      FlowTable table =
          new FlowTable(each.id(), each, profile.lookup(), profile.promotion(), removals);
      tables.add(table);
      byId[each.id()] = table;
    }
    this.groups = new GroupTable(profile.groups(), portExists);
    boolean normal = shared.stream().anyMatch(TableProfile::overridden);
    this.actions =
        new ActionCheck(
            port -> portExists.test(port) || (normal && port == PortNumbers.NORMAL), groups);
  }

  /** The tables, table 0 first; unmodifiable. */
  public List<FlowTable> tables() {
    return List.copyOf(tables);
  }

  /** Whether there is a table of this number. */
  public boolean hasTable(int id) {
    return id >= 0 && id < MAX_TABLES && byId[id] != null;
  }

  private FlowTable table(int id) {
    FlowTable table = byId[id];
    if (table == null) {
      throw new IllegalStateException("no table " + id);
    }
    return table;
  }

  /** The groups. */
  public GroupTable groups() {
    return groups;
  }

  /** Carries a group-mod out; empty when done, else the error, with nothing changed. */
  public Optional<ModelError> apply(GroupMod mod, long nowNanos) {
    Optional<ModelError> error = groups.apply(mod);
    if (mod.command() == GroupMod.Command.DELETE) {
      tables.forEach(table -> table.removeThoseOf(mod.id(), nowNanos));
    }
    return error;
  }

  /** The checks a packet-out's actions must pass. */
  public ActionCheck actionCheck() {
    return actions;
  }

  /** Carries a flow-mod out; empty when done, else the error, with nothing changed. */
  public Optional<ModelError> apply(FlowMod mod, long nowNanos) {
    Optional<ModelError> error = refusal(mod);
    if (error.isPresent()) {
      return error;
    }
    if (mod.tableId() != FlowMod.ALL_TABLES) {
      return table(mod.tableId()).apply(mod, nowNanos);
    }
    for (FlowTable table : tables) {
      table.apply(mod, nowNanos); // a delete, which is never refused
    }
    return Optional.empty();
  }

  private Optional<ModelError> refusal(FlowMod mod) {
    boolean all = mod.tableId() == FlowMod.ALL_TABLES && mod.command().isDelete();
    if (!all && !hasTable(mod.tableId())) {
      return Optional.of(ModelError.BAD_TABLE_ID);
    }
    Optional<ModelError> badMatch = MatchCheck.refusal(mod.match());
    if (badMatch.isPresent() || mod.command().isDelete()) {
      return badMatch; // a delete's instructions are ignored (section 7.3.4.1)
    }
    Instructions instructions = mod.instructions();
    int next = instructions.gotoTable();
    if (next != Instructions.NO_TABLE && (next <= mod.tableId() || !hasTable(next))) {
      return Optional.of(ModelError.BAD_GOTO_TABLE);
    }
    Optional<ModelError> badApply = actions.refusal(mod.match(), instructions.apply());
    return badApply.isPresent()
        ? badApply
        : actions.refusal(mod.match(), orderedWrites(instructions));
  }

  private static List<Action> orderedWrites(Instructions instructions) {
    if (instructions.write().size() > ActionCheck.MAX_ACTIONS) {
      return instructions.write(); // refused for its length
    }
    ActionSet set = new ActionSet();
    set.write(instructions.write());
    return set.inOrder();
  }

  /** Removes expired entries from all tables. */
  public void expire(long nowNanos) {
    for (FlowTable table : tables) {
      table.expire(nowNanos);
    }
  }

  /** When {@link #expire} has something to do at the earliest; Long.MAX_VALUE for never. */
  public long nextDeadlineNanos() {
    long next = Long.MAX_VALUE;
    for (FlowTable table : tables) {
      next = Math.min(next, table.nextDeadlineNanos());
    }
    return next;
  }

  /** Sends a packet through the tables from table 0 on. */
  public void process(Packet packet, long nowNanos, Exit exit) {
    resume(new Traversal(packet), nowNanos, exit);
  }

  /**
   * Goes on with a packet that went to the processor ({@link Exit#toProcessor}). There it stays
   * until it leaves the switch.
   */
  public void resume(Traversal traversal, long nowNanos, Exit exit) {
    Packet packet = traversal.packet;
    while (true) {
      FlowTable table = table(traversal.tableId);
      FlowEntry entry = table.find(packet);
      if (!traversal.inProcessor && table.viaProcessor(entry)) {
        traversal.inProcessor = true;
        exit.toProcessor(traversal);
        return;
      }
      table.count(entry, packet.length(), nowNanos);
      FixedTable fixed = table.profile().fixed();
      if (entry == null && fixed != null) {
        Origin builtIn = new Origin(traversal.tableId, NO_COOKIE, true);
        if (!carryOut(onMiss(fixed), traversal, builtIn, exit)) {
          return;
        }
        continue;
      } else if (entry == null) {
        exit.missed(packet, traversal.tableId); // no table-miss entry: dropped (section 5.4)
        return;
      } else if (entry.isDead()) {
        exit.stuck(packet);
        return;
      }
      Origin origin = new Origin(traversal.tableId, entry.cookie(), entry.isTableMiss());
      if (!carryOut(entry.instructions(), traversal, origin, exit)) {
        return;
      }
    }
  }

  private static Instructions onMiss(FixedTable fixed) {
    return new Instructions(List.of(), fixed.missClears(), List.of(), 0, 0, fixed.missNext());
  }

  /** Returns whether the packet goes on to another table. */
  private boolean carryOut(
      Instructions instructions, Traversal traversal, Origin origin, Exit exit) {
    Packet packet = traversal.packet;
    if (table(traversal.tableId).profile().overridden()) {
      hold(instructions, traversal, origin);
      return true;
    }
    if (!executeResolved(instructions.apply(), traversal, origin, exit)) {
      return false;
    }
    ActionSet set = traversal.set;
    if (instructions.clear() && set != null) {
      set.clear();
    }
    if (!instructions.write().isEmpty()) {
      set = set == null ? new ActionSet() : set;
      set.write(instructions.write());
      traversal.set = set;
    }
    packet.writeMetadata(instructions.metadata(), instructions.metadataMask());
    if (instructions.gotoTable() == Instructions.NO_TABLE) {
      if (set != null) {
        executeResolved(set.inOrder(), traversal, origin, exit);
      }
      return false;
    }
    traversal.tableId = instructions.gotoTable();
    return true;
  }

  /** Executes with what is held in place of an output to NORMAL, which the held entry causes. */
  private boolean executeResolved(
      List<Action> list, Traversal traversal, Origin origin, Exit exit) {
    Origin heldBy = traversal.heldBy;
    if (heldBy == null) {
      return execute(list, traversal.packet, origin, exit);
    }
    for (Action action : list) {
      boolean held = action instanceof Output output && output.port() == PortNumbers.NORMAL;
      if (held) {
        execute(traversal.held, traversal.packet, heldBy, exit);
      } else if (!execute(List.of(action), traversal.packet, origin, exit)) {
        return false;
      }
    }
    return true;
  }

  /** Keeps what an entry outputs for a later table, and goes on there. */
  private void hold(Instructions instructions, Traversal traversal, Origin origin) {
    List<Action> outputs = new ArrayList<>(instructions.apply());
    outputs.addAll(instructions.write());
    outputs.removeIf(action -> !(action instanceof Output));
    traversal.held = outputs;
    traversal.heldBy = origin;
    traversal.packet.writeMetadata(instructions.metadata(), instructions.metadataMask());
    boolean named = instructions.gotoTable() != Instructions.NO_TABLE;
    traversal.tableId = named ? instructions.gotoTable() : following(traversal.tableId);
  }

  private int following(int id) {
    int next = id + 1;
    while (!hasTable(next)) {
      next++; // the last table is never an overridden one
    }
    return next;
  }

  /** Entries of all tables in one kind of memory. */
  public int count(Location location) {
    int count = 0;
    for (FlowTable table : tables) {
      count += table.count(location);
    }
    return count;
  }

  /**
   * Executes an action list on a packet in list order (section 5.11).
   *
   * @return false when the packet was dropped on the way: its time to live ran out
   */
  public boolean execute(List<Action> list, Packet packet, Origin origin, Exit exit) {
    for (Action action : list) {
      if (action instanceof Output output) {
        exit.output(packet, output, origin);
      } else if (action instanceof SetField set) {
        packet.set(set.field(), set.value(), set.low());
      } else if (action instanceof Group group) {
        List<Action> bucket = groups.bucket(group.id());
        if (bucket != null && !execute(bucket, packet, origin, exit)) {
          return false;
        }
      } else if (action instanceof PushVlan push) {
        packet.pushVlan(push.etherType());
      } else if (action instanceof Action.EnsureVlan) {
        ensureVlan(packet);
      } else if (action instanceof Action.PopVlan || action instanceof Action.StripVlan) {
        packet.popVlan();
      } else if (action instanceof SetTtl set) {
        packet.setTtl(set.ttl());
      } else if (!decrementTtl(packet)) {
        exit.invalidTtl(packet, origin);
        return false;
      }
    }
    return true;
  }

  private static void ensureVlan(Packet packet) {
    if (packet.get(OxmField.VLAN_VID) == 0) {
      packet.pushVlan(EtherTypes.VLAN);
    }
  }

  private static boolean decrementTtl(Packet packet) {
    int ttl = packet.ttl();
    if (ttl < 0) {
      return true; // not IP: nothing to decrement
    }
    if (ttl <= 1) {
      return false;
    }
    packet.setTtl(ttl - 1);
    return true;
  }

  /**
   * Which entry caused an output.
   *
   * @param tableMiss whether it was the table-miss entry (packet-in reason NO_MATCH)
   */
  public record Origin(int tableId, long cookie, boolean tableMiss) {
    /** The action list of a packet-out. */
    public static final Origin PACKET_OUT = new Origin(0, NO_COOKIE, false);
  }

  /** Holds a packet and how far it is through the tables. Belongs to one exit at a time. */
  public static final class Traversal {
    private final Packet packet;
    private int tableId;
    private boolean inProcessor;
    private @Nullable ActionSet set;

    /** What the entry of an overridden table outputs. */
    private List<Action> held = List.of();

    private @Nullable Origin heldBy;

    private Traversal(Packet packet) {
      this.packet = packet;
    }

    /** The packet as it is now. */
    public Packet packet() {
      return packet;
    }
  }

  /** Where packets leave the pipeline. Called on the switch's thread, during the call. */
  public interface Exit {
    /** An output action; the packet may be edited after the call returns. */
    void output(Packet packet, Output output, Origin origin);

    /** No entry, not even a table-miss entry: the packet is dropped. */
    void missed(Packet packet, int tableId);

    /** The packet goes to the switch's processor; {@link Pipeline#resume} goes on with it there. */
    void toProcessor(Traversal traversal);

    /** An entry matched that forwards nothing, by a fault of the switch: the packet is lost. */
    void stuck(Packet packet);

    /** Decrementing would reach zero: the packet is dropped, or goes to the controller. */
    void invalidTtl(Packet packet, Origin origin);
  }
}
