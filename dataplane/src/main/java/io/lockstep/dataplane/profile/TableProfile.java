package io.lockstep.dataplane.profile;

import org.jspecify.annotations.Nullable;

/**
 * One OpenFlow table as the controller sees it, and the memories behind it.
 *
 * @param id the number of the table, 0 to 254
 * @param hardware forwards at line rate; null where the table has none
 * @param software forwards by the switch's processor; null where the table has none. Where a table
 *     has both, the controller is not told which of them an entry is in
 * @param whenFull what becomes of an entry that the full hardware could hold
 * @param whenUnsupported what becomes of an entry that hardware cannot hold
 * @param missTakesEntry whether the table-miss entry takes room; else it is the table's default
 * @param losesController whether the switch loses its controllers while the table is in use
 * @param overridden whether every packet goes on to a later table, which decides: what an entry
 *     outputs here counts only where the later one outputs to NORMAL
 * @param fixed the kinds of entries that the table takes; null where it takes every entry that its
 *     memories hold
 */
public record TableProfile(
    int id,
    String name,
    @Nullable MemoryProfile hardware,
    @Nullable MemoryProfile software,
    Otherwise whenFull,
    Otherwise whenUnsupported,
    boolean missTakesEntry,
    boolean losesController,
    boolean overridden,
    @Nullable FixedTable fixed) {
  public TableProfile {
    if (hardware == null && software == null) {
      throw new IllegalArgumentException("table " + name + " has no memory");
    }
  }

  /** A table in hardware that takes every match. */
  public static TableProfile plain(int id, String name, long entries) {
    MemoryProfile memory = MemoryProfile.plain(entries);
    return new TableProfile(
        id, name, memory, null, Otherwise.REJECT, Otherwise.REJECT, true, false, false, null);
  }

  /** The same with a share of the hardware, rounded down to whole units. */
  TableProfile withHardwareShare(int percent) {
    if (hardware == null || hardware.units() == MemoryProfile.UNBOUNDED) {
      return this;
    }
    // Exact: units are bounded far below the range of a long.
    MemoryProfile part = hardware.withUnits(hardware.units() * percent / 100);
    return new TableProfile(
        id,
        name,
        part,
        software,
        whenFull,
        whenUnsupported,
        missTakesEntry,
        losesController,
        overridden,
        fixed);
  }

  /** Where an entry goes that hardware does not take. */
  public enum Otherwise {
    /** Into software, without a word. */
    SPILL,
    /** Back, with an error. */
    REJECT
  }
}
