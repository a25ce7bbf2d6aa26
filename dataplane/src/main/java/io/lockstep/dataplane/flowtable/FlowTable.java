package io.lockstep.dataplane.flowtable;

import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.packet.Packet;
import io.lockstep.dataplane.profile.FixedTable;
import io.lockstep.dataplane.profile.HardwareProfile.Lookup;
import io.lockstep.dataplane.profile.MemoryProfile;
import io.lockstep.dataplane.profile.PromotionProfile;
import io.lockstep.dataplane.profile.TableProfile;
import io.lockstep.dataplane.profile.TableProfile.Otherwise;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One flow table (OpenFlow 1.3.5 sections 5.2 to 5.5 and 6.4). A change is either refused with
 * nothing changed or done completely. Owned by the switch's thread.
 */
public final class FlowTable {
  private final int id;
  private final TableProfile profile;
  private final Consumer<FlowRemoved> removals;
  private final Map<Key, FlowEntry> entries = new LinkedHashMap<>();
  private final EntryStore store;

  /** Of entries for the EtherType that the other store's entries never match; null for none. */
  private final @Nullable EntryStore apart;

  private final Promotion promotion;
  private final Deadlines deadlines = new Deadlines();
  private final int apartType;
  private long nextSerial;
  private long lookups;
  private long matches;

  /**
   * @param profile what the table holds and what it does with the rest
   * @param promoting null where entries stay where they are
   * @param removals called for every entry that goes and had asked for a notice
   */
  FlowTable(
      int id,
      TableProfile profile,
      Lookup lookup,
      @Nullable PromotionProfile promoting,
      Consumer<FlowRemoved> removals) {
    this.id = id;
    this.profile = profile;
    this.removals = removals;
    this.store = new EntryStore(profile, lookup);
    FixedTable fixed = profile.fixed();
    this.apartType = fixed == null ? -1 : fixed.apartType();
    this.apart = apartType < 0 ? null : new EntryStore(profile, lookup);
    this.promotion = new Promotion(promoting, store);
  }

  /** The entry that wins a packet; null on a miss without a table-miss entry. Counts nothing. */
  @Nullable FlowEntry find(Packet packet) {
    boolean isApart = apart != null && packet.get(OxmField.ETH_TYPE) == apartType;
    return isApart && apart != null ? apart.find(packet) : store.find(packet);
  }

  private EntryStore store(FlowMatch match) {
    boolean isApart =
        match.uses(OxmField.ETH_TYPE) && match.value(OxmField.ETH_TYPE.slot()) == apartType;
    return isApart && apart != null ? apart : store;
  }

  /** Whether a packet has to go through the switch's processor to get to what was found. */
  boolean viaProcessor(@Nullable FlowEntry found) {
    return store.viaProcessor(found);
  }

  /** Counts a look-up and the entry it led to. */
  void count(@Nullable FlowEntry entry, int length, long nowNanos) {
    lookups++;
    if (entry != null) {
      matches++;
      entry.count(length, nowNanos);
    }
  }

  /** Applies a checked flow-mod for this table; empty when done, else why nothing was changed. */
  Optional<ModelError> apply(FlowMod mod, long nowNanos) {
    Optional<ModelError> error = Optional.empty();
    switch (mod.command()) {
      case ADD -> error = add(mod, nowNanos);
      case MODIFY, MODIFY_STRICT -> error = modify(mod);
      case DELETE, DELETE_STRICT -> delete(mod, nowNanos);
    }
    promotion.entriesChanged(nowNanos);
    return error;
  }

  private Optional<ModelError> add(FlowMod mod, long nowNanos) {
    if (mod.flags().contains(FlowFlag.CHECK_OVERLAP) && overlaps(mod)) {
      return Optional.of(ModelError.OVERLAP);
    }
    ModelError wrong = kindError(mod.match(), mod.priority(), mod.instructions());
    if (wrong != null) {
      return Optional.of(wrong);
    }
    EntryStore store = store(mod.match());
    Key key = new Key(mod.match(), mod.priority());
    FlowEntry old = entries.get(key);
    Set<OxmField> sets = mod.instructions().rewrites();
    // What is replaced leaves its place to its successor, which has the same structure, unless the
    // memory cannot do what the successor does.
    EntryStore.Verdict place =
        old == null || !store.staysIn(old, sets)
            ? store.place(mod.match(), mod.priority(), sets)
            : new EntryStore.Verdict(old.location(), old.units(), null);
    if (place.error() != null) {
      return Optional.of(place.error());
    }
    FlowEntry entry =
        new FlowEntry(mod, id, nextSerial++, place.location(), place.units(), nowNanos);
    if (old != null) {
      // Replaced without a notice; counters stay unless a reset is asked for (section 6.4).
      if (!mod.flags().contains(FlowFlag.RESET_COUNTS)) {
        entry.copyCounts(old);
      }
      take(key, old);
    }
    entries.put(key, entry);
    store.add(entry);
    deadlines.add(entry);
    return Optional.empty();
  }

  private @Nullable ModelError kindError(FlowMatch match, int priority, Instructions instructions) {
    FixedTable fixed = profile.fixed();
    return fixed == null
        ? null
        : KindCheck.refusal(fixed, match, priority, instructions, entries.values());
  }

  private boolean overlaps(FlowMod mod) {
    for (FlowEntry entry : entries.values()) {
      if (entry.priority() == mod.priority() && entry.match().overlaps(mod.match())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Changes instructions only: cookie, time-outs, flags and duration stay (section 6.4), and so
   * does the memory: an entry that this cannot do is refused, and none is changed.
   */
  private Optional<ModelError> modify(FlowMod mod) {
    List<FlowEntry> selected = selected(mod);
    Set<OxmField> sets = mod.instructions().rewrites();
    for (FlowEntry entry : selected) {
      ModelError wrong = kindError(entry.match(), entry.priority(), mod.instructions());
      if (wrong != null || !store.staysIn(entry, sets)) {
        return Optional.of(wrong == null ? ModelError.BAD_SET_TYPE : wrong);
      }
    }
    for (FlowEntry entry : selected) {
      entry.replaceInstructions(mod.instructions());
      if (mod.flags().contains(FlowFlag.RESET_COUNTS)) {
        entry.resetCounts();
      }
    }
    return Optional.empty();
  }

  private void delete(FlowMod mod, long nowNanos) {
    for (FlowEntry entry : selected(mod)) {
      boolean toPort =
          mod.outPort() == PortNumbers.ANY || entry.instructions().outputsTo(mod.outPort());
      if (toPort && mod.outGroupAny()) {
        take(new Key(entry.match(), entry.priority()), entry);
        announce(entry, FlowRemoved.Reason.DELETE, nowNanos);
      }
    }
  }

  private List<FlowEntry> selected(FlowMod mod) {
    List<FlowEntry> selected = new ArrayList<>();
    if (mod.command().isStrict()) {
      FlowEntry entry = entries.get(new Key(mod.match(), mod.priority()));
      if (entry != null && hasCookie(entry, mod.cookie(), mod.cookieMask())) {
        selected.add(entry);
      }
      return selected;
    }
    for (FlowEntry entry : entries.values()) {
      if (mod.match().covers(entry.match()) && hasCookie(entry, mod.cookie(), mod.cookieMask())) {
        selected.add(entry);
      }
    }
    return selected;
  }

  static boolean hasCookie(FlowEntry entry, long cookie, long mask) {
    return ((entry.cookie() ^ cookie) & mask) == 0;
  }

  private void take(Key key, FlowEntry entry) {
    entries.remove(key);
    store(entry.match()).remove(entry);
    deadlines.remove(entry);
  }

  private void announce(FlowEntry entry, FlowRemoved.Reason reason, long nowNanos) {
    if (entry.flags().contains(FlowFlag.SEND_FLOW_REMOVED)) {
      removals.accept(FlowRemoved.of(entry, reason, nowNanos));
    }
  }

  /** Removes entries whose time-out has passed (section 5.5) and moves those whose turn it is. */
  void expire(long nowNanos) {
    while (true) {
      // In the order in which it happened: an entry that went made room for those behind it.
      promotion.advance(Math.min(nowNanos, deadlines.nextNanos()));
      FlowEntry entry = deadlines.pollExpired(nowNanos);
      if (entry == null) {
        promotion.advance(nowNanos);
        return;
      }
      entries.remove(new Key(entry.match(), entry.priority()));
      store(entry.match()).remove(entry);
      boolean hard = entry.hardExpired(nowNanos);
      announce(
          entry,
          hard ? FlowRemoved.Reason.HARD_TIMEOUT : FlowRemoved.Reason.IDLE_TIMEOUT,
          nowNanos);
      promotion.entriesChanged(entry.expiryNanos());
    }
  }

  /** When to call {@link #expire} next at the latest; Long.MAX_VALUE for never. */
  long nextDeadlineNanos() {
    return Math.min(deadlines.nextNanos(), promotion.dueNanos());
  }

  public int id() {
    return id;
  }

  /** What the table is made of. */
  public TableProfile profile() {
    return profile;
  }

  /** Removes the entries that send to a group, which is removed (section 6.5). */
  void removeThoseOf(int group, long nowNanos) {
    for (FlowEntry entry : List.copyOf(entries.values())) {
      if (entry.instructions().usesGroup(group)) {
        take(new Key(entry.match(), entry.priority()), entry);
        announce(entry, FlowRemoved.Reason.GROUP_DELETE, nowNanos);
      }
    }
    promotion.entriesChanged(nowNanos);
  }

  /** Entries that fit in when all are of the cheapest structure; Integer.MAX_VALUE for no bound. */
  public int maxEntries() {
    MemoryProfile fast = profile.hardware();
    MemoryProfile slow = profile.software();
    long most = fast == null ? 0 : Math.min(fast.mostEntries(), Integer.MAX_VALUE);
    long more = slow == null ? 0 : Math.min(slow.mostEntries(), Integer.MAX_VALUE);
    return (int) Math.min(Integer.MAX_VALUE, most + more);
  }

  /** Whether an entry may match on the field, in whichever memory it then is. */
  public boolean supports(OxmField field) {
    return anyMemory(memory -> memory.allowed().contains(field));
  }

  /** Whether an entry may set the field, in whichever memory it then is. */
  public boolean rewrites(OxmField field) {
    return anyMemory(memory -> memory.rewrites().contains(field));
  }

  /** Whether every entry but the table-miss entry has to match on the field. */
  public boolean requires(OxmField field) {
    return !anyMemory(memory -> !memory.required().contains(field));
  }

  /** Whether there is such a memory among those that an entry can get into from the start. */
  private boolean anyMemory(Predicate<MemoryProfile> condition) {
    MemoryProfile fast = profile.hardware();
    MemoryProfile slow = profile.software();
    boolean reachable = fast == null || profile.whenUnsupported() == Otherwise.SPILL;
    return (fast != null && condition.test(fast))
        || (slow != null && reachable && condition.test(slow));
  }

  /** Entries in one of the memories; together they are {@link #entries()}. */
  public int count(Location location) {
    return store.entries(location) + (apart == null ? 0 : apart.entries(location));
  }

  /** Units in use of one of the memories. */
  public long unitsUsed(Location location) {
    return store.units(location) + (apart == null ? 0 : apart.units(location));
  }

  /** Packets looked up since the switch started. */
  public long lookups() {
    return lookups;
  }

  /** Packets that hit an entry. */
  public long matches() {
    return matches;
  }

  /** The live entries in order of installation; a view. */
  public Collection<FlowEntry> entries() {
    return Collections.unmodifiableCollection(entries.values());
  }

  private record Key(FlowMatch match, int priority) {}
}
