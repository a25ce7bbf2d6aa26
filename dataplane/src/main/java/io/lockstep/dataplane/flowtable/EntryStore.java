package io.lockstep.dataplane.flowtable;

import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.packet.Packet;
import io.lockstep.dataplane.profile.HardwareProfile.Lookup;
import io.lockstep.dataplane.profile.MemoryProfile;
import io.lockstep.dataplane.profile.PromotionProfile.Order;
import io.lockstep.dataplane.profile.TableProfile;
import io.lockstep.dataplane.profile.TableProfile.Otherwise;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The memories of one table: decides where an entry goes, finds entries, and knows what room is
 * left. Invariant: the units of the entries in a memory are its used units, never above its
 * capacity; every entry is in exactly one memory. Owned by the switch's thread.
 */
final class EntryStore {
  private final TableProfile profile;
  private final Lookup lookup;
  private final Memory hardware;
  private final Memory software;

  /** In software, and hardware could hold them, by order of installation. */
  private final TreeMap<Long, FlowEntry> waiting = new TreeMap<>();

  /** Wins nothing that any other entry matches, so it is kept apart. */
  private @Nullable FlowEntry miss;

  EntryStore(TableProfile profile, Lookup lookup) {
    this.profile = profile;
    this.lookup = lookup;
    this.hardware = new Memory(profile.hardware());
    this.software = new Memory(profile.software());
  }

  /** Where an entry would go now, or why it is refused. */
  Verdict place(FlowMatch match, int priority, Set<OxmField> sets) {
    boolean isMiss = priority == 0 && match.isAny();
    MemoryProfile fast = profile.hardware();
    if (isMiss && !profile.missTakesEntry()) {
      return new Verdict(fast == null ? Location.SOFTWARE : Location.HARDWARE, 0, null);
    }
    Set<OxmField> fields = match.fields();
    Set<OxmField> masked = match.maskedFields();
    MemoryProfile slow = profile.software();
    ModelError error = ModelError.TABLE_FULL;
    if (fast != null) {
      error = hardware.refusal(fast, fields, masked, sets);
      if (error == null) {
        return new Verdict(Location.HARDWARE, fast.cost(fields), null);
      }
      Otherwise otherwise =
          error == ModelError.TABLE_FULL ? profile.whenFull() : profile.whenUnsupported();
      if (otherwise == Otherwise.REJECT) {
        return new Verdict(Location.HARDWARE, 0, error);
      }
    }
    if (slow != null) {
      error = software.refusal(slow, fields, masked, sets);
      return new Verdict(Location.SOFTWARE, error == null ? slow.cost(fields) : 0, error);
    }
    return new Verdict(Location.HARDWARE, 0, error);
  }

  void add(FlowEntry entry) {
    memory(entry.location()).take(entry.units(), 1);
    if (entry.isTableMiss()) {
      miss = entry;
      return;
    }
    memory(entry.location()).index.add(entry);
    if (entry.location() == Location.SOFTWARE && hardwareCanHold(entry)) {
      waiting.put(entry.serial(), entry);
    }
  }

  void remove(FlowEntry entry) {
    memory(entry.location()).take(-entry.units(), -1);
    if (entry.isTableMiss()) {
      miss = null;
      return;
    }
    memory(entry.location()).index.remove(entry);
    waiting.remove(entry.serial());
  }

  private Memory memory(Location location) {
    return location == Location.HARDWARE ? hardware : software;
  }

  private boolean hardwareCanHold(FlowEntry entry) {
    MemoryProfile fast = profile.hardware();
    return fast != null
        && fast.fit(
                entry.match().fields(),
                entry.match().maskedFields(),
                entry.instructions().rewrites())
            == MemoryProfile.Fit.FITS;
  }

  /** Whether an entry that sets these fields can stay in the memory of this one. */
  boolean staysIn(FlowEntry entry, Set<OxmField> sets) {
    MemoryProfile memory =
        entry.location() == Location.HARDWARE ? profile.hardware() : profile.software();
    return memory == null || memory.rewrites().containsAll(sets);
  }

  /** The entry that wins a packet; null when none matches. */
  @Nullable FlowEntry find(Packet packet) {
    FlowEntry fast = hardware.index.find(packet);
    if (software.entries == 0 || (fast != null && lookup == Lookup.HARDWARE_FIRST)) {
      return fast == null ? miss : fast;
    }
    FlowEntry slow = software.index.find(packet);
    if (fast == null || slow == null) {
      FlowEntry only = fast == null ? slow : fast;
      return only == null ? miss : only;
    }
    return TupleSpace.BEST_FIRST.compare(fast, slow) < 0 ? fast : slow;
  }

  /**
   * Whether only the processor can find that this is the entry for a packet.
   *
   * @param found by {@link #find}
   */
  boolean viaProcessor(@Nullable FlowEntry found) {
    if (profile.hardware() == null) {
      return true;
    } else if (found != null && !found.isTableMiss()) {
      return found.location() == Location.SOFTWARE;
    }
    return lookup == Lookup.HARDWARE_FIRST && software.entries > 0;
  }

  /** The entry whose turn it is to move to hardware; null when there is none or no room for it. */
  @Nullable FlowEntry promotable(Order order) {
    Map.Entry<Long, FlowEntry> next =
        order == Order.FIFO ? waiting.firstEntry() : waiting.lastEntry();
    MemoryProfile fast = profile.hardware();
    if (next == null || fast == null) {
      return null;
    }
    FlowEntry entry = next.getValue();
    return hardware.hasRoom(fast, fast.cost(entry.match().fields())) ? entry : null;
  }

  /** Moves an entry of {@link #promotable} to hardware. */
  void promote(FlowEntry entry, boolean dead) {
    MemoryProfile fast = profile.hardware();
    if (fast == null) {
      throw new IllegalStateException("no hardware to promote to");
    }
    remove(entry);
    entry.moveTo(Location.HARDWARE, fast.cost(entry.match().fields()), dead);
    add(entry);
  }

  int entries(Location location) {
    return memory(location).entries;
  }

  long units(Location location) {
    return memory(location).used;
  }

  /**
   * @param error why the entry is refused; null when it is not
   */
  record Verdict(Location location, int units, @Nullable ModelError error) {}

  /** One memory's entries. */
  private static final class Memory {
    final TupleSpace index = new TupleSpace();
    private final long capacity;
    private long used;
    private int entries;

    Memory(@Nullable MemoryProfile profile) {
      this.capacity = profile == null ? 0 : profile.units();
    }

    boolean hasRoom(MemoryProfile profile, int cost) {
      return used <= profile.units() - cost;
    }

    @Nullable ModelError refusal(
        MemoryProfile profile, Set<OxmField> fields, Set<OxmField> masked, Set<OxmField> sets) {
      return switch (profile.fit(fields, masked, sets)) {
        case FITS -> hasRoom(profile, profile.cost(fields)) ? null : ModelError.TABLE_FULL;
        case FIELD_NOT_ALLOWED -> ModelError.BAD_FIELD;
        case FIELD_MISSING -> ModelError.BAD_WILDCARDS;
        case MASK_NOT_ALLOWED -> ModelError.BAD_MASK;
        case CANNOT_SET -> ModelError.BAD_SET_TYPE;
      };
    }

    void take(int units, int count) {
      used += units;
      entries += count;
      if (used > capacity || used < 0 || entries < 0) {
        throw new IllegalStateException(used + " of " + capacity + " units are used");
      }
    }
  }
}
