package io.lockstep.dataplane.flowtable;

import java.util.Set;
import java.util.concurrent.TimeUnit;

/** One entry of a flow table with its counters. Owned by the switch's thread. */
public final class FlowEntry {
  private final int tableId;
  private final FlowMatch match;
  private final int priority;
  private final long cookie;
  private final int idleTimeoutSeconds;
  private final int hardTimeoutSeconds;
  private final Set<FlowFlag> flags;
  private final long createdNanos;
  private final long serial;
  private Location location;
  private int units;
  private boolean dead;
  private Instructions instructions;
  private long lastUsedNanos;
  private long packets;
  private long bytes;

  /** When {@link Deadlines} looks at the entry next: never later than it may expire. */
  long dueNanos;

  /**
   * @param units that the entry takes of the memory it is in
   */
  FlowEntry(FlowMod mod, int tableId, long serial, Location location, int units, long nowNanos) {
    this.location = location;
    this.units = units;
    this.tableId = tableId;
    this.match = mod.match();
    this.priority = mod.priority();
    this.cookie = mod.cookie();
    this.idleTimeoutSeconds = mod.idleTimeoutSeconds();
    this.hardTimeoutSeconds = mod.hardTimeoutSeconds();
    this.flags = mod.flags();
    this.instructions = mod.instructions();
    this.serial = serial;
    this.createdNanos = nowNanos;
    this.lastUsedNanos = nowNanos;
  }

  void count(int length, long nowNanos) {
    lastUsedNanos = nowNanos;
    if (!flags.contains(FlowFlag.NO_PACKET_COUNTS)) {
      packets++;
    }
    if (!flags.contains(FlowFlag.NO_BYTE_COUNTS)) {
      bytes += length;
    }
  }

  void resetCounts() {
    packets = 0;
    bytes = 0;
  }

  void copyCounts(FlowEntry from) {
    packets = from.packets;
    bytes = from.bytes;
  }

  /** The entry's flow-mod was sent again: whatever held it back is over. */
  void replaceInstructions(Instructions other) {
    instructions = other;
    dead = false;
  }

  void moveTo(Location to, int unitsThere, boolean deadThere) {
    location = to;
    units = unitsThere;
    dead = deadThere;
  }

  /** Whether it expires by itself. */
  public boolean hasTimeout() {
    return idleTimeoutSeconds != 0 || hardTimeoutSeconds != 0;
  }

  /** Earliest moment either time-out can fire, with what is known now. */
  long expiryNanos() {
    long idle = idleAtNanos();
    long hard = hardAtNanos();
    if (idleTimeoutSeconds == 0) {
      return hard;
    }
    return hardTimeoutSeconds != 0 && hard - idle < 0 ? hard : idle;
  }

  boolean hardExpired(long nowNanos) {
    return hardTimeoutSeconds != 0 && nowNanos - hardAtNanos() >= 0;
  }

  boolean idleExpired(long nowNanos) {
    return idleTimeoutSeconds != 0 && nowNanos - idleAtNanos() >= 0;
  }

  private long idleAtNanos() {
    return lastUsedNanos + TimeUnit.SECONDS.toNanos(idleTimeoutSeconds);
  }

  private long hardAtNanos() {
    return createdNanos + TimeUnit.SECONDS.toNanos(hardTimeoutSeconds);
  }

  /** Order of installation within the table, unique. */
  long serial() {
    return serial;
  }

  /** Which memory holds the entry now. */
  public Location location() {
    return location;
  }

  /** Units that it takes there. */
  public int units() {
    return units;
  }

  /** Whether packets end at the entry, by a fault of the switch, until its flow-mod comes again. */
  public boolean isDead() {
    return dead;
  }

  public int tableId() {
    return tableId;
  }

  public FlowMatch match() {
    return match;
  }

  public int priority() {
    return priority;
  }

  public long cookie() {
    return cookie;
  }

  public int idleTimeoutSeconds() {
    return idleTimeoutSeconds;
  }

  public int hardTimeoutSeconds() {
    return hardTimeoutSeconds;
  }

  public Set<FlowFlag> flags() {
    return flags;
  }

  public Instructions instructions() {
    return instructions;
  }

  public long packets() {
    return packets;
  }

  public long bytes() {
    return bytes;
  }

  /** Time since the entry was installed. */
  public long durationNanos(long nowNanos) {
    return nowNanos - createdNanos;
  }

  /** Priority 0 and all fields wildcarded (section 5.4). */
  public boolean isTableMiss() {
    return priority == 0 && match.isAny();
  }

  @Override
  public String toString() {
    return "table " + tableId + " priority " + priority + " " + match + " -> " + instructions;
  }
}
