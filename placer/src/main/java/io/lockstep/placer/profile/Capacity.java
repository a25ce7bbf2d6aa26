package io.lockstep.placer.profile;

import io.lockstep.placer.space.HeaderField;
import java.util.List;

/**
 * How much a layer holds. Entries of different structure take different room, so a layer has units,
 * and an entry costs some, by the fields it uses: a switch with 1526 entries, of which those that
 * match on the port only count four times, has 1526 units.
 *
 * @param units in all; {@link #UNBOUNDED} where no bound is known
 * @param costs the first that fits the fields of an entry counts; the last fits all
 * @param planAtMost entries, of whatever structure, that are planned on even if more may fit; 0 for
 *     no such bound
 */
public record Capacity(long units, List<Cost> costs, int planAtMost) {
  /** No bound is known. */
  public static final long UNBOUNDED = Long.MAX_VALUE / 4;

  /**
   * What some entries cost.
   *
   * @param only fields, a bit each: entries that use nothing else; all ones for any
   * @param anyOf fields: entries that use at least one of them; 0 for any
   * @param units for each entry
   */
  public record Cost(int only, int anyOf, int units) {
    /** Every entry costs this. */
    public static Cost always(int units) {
      return new Cost(-1, 0, units);
    }

    boolean fits(int fields) {
      return (fields & ~only) == 0 && (anyOf == 0 || (fields & anyOf) != 0);
    }

    boolean fitsAll() {
      return only == -1 && anyOf == 0;
    }

    /** The entries that cost this, in words. */
    public String what() {
      if (fitsAll()) {
        return "all other entries";
      }
      return only == -1
          ? "entries that use any of " + HeaderField.labels(anyOf)
          : "entries that use only " + HeaderField.labels(only);
    }
  }

  public Capacity {
    costs = List.copyOf(costs);
  }

  /** A plain number of entries. */
  public static Capacity ofEntries(long entries) {
    return new Capacity(entries, List.of(Cost.always(1)), 0);
  }

  /** This capacity with another number of units, such as a smaller share of the switch's tables. */
  public Capacity withUnits(long other) {
    return new Capacity(other, costs, planAtMost);
  }

  /** What the switch takes for an entry that uses these fields. */
  public int unitsOf(int fields) {
    for (Cost cost : costs) {
      if (cost.fits(fields)) {
        return cost.units;
      }
    }
    throw new IllegalStateException("no cost fits " + HeaderField.labels(fields));
  }

  /** What is planned for such an entry: as {@link #unitsOf}, or more by {@link #planAtMost}. */
  public int plannedUnitsOf(int fields) {
    int units = unitsOf(fields);
    return planAtMost == 0
        ? units
        : (int) Math.max(units, (this.units + planAtMost - 1) / planAtMost);
  }

  /** How many entries of this structure alone the switch holds. */
  public long entriesOf(int fields) {
    return units / unitsOf(fields);
  }

  /** Whether the number of units is known. */
  public boolean bounded() {
    return units < UNBOUNDED;
  }
}
