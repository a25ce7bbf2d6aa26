package io.lockstep.placer.profile;

import io.lockstep.placer.space.HeaderField;
import java.util.List;

/**
 * The capacity of a layer. Entries of different structure need different room. So a layer has
 * units, and the fields of an entry determine its cost in units. For example, a switch for 1526
 * entries, in which an entry that matches only on the port counts four times, has 1526 units.
 *
 * @param units in total; {@link #UNBOUNDED} if no bound is known
 * @param costs of entries: the first one that fits the fields of an entry applies; the last one
 *     fits all
 * @param planAtMost the most entries of any structure to plan with, even if more may fit; 0 for no
 *     such bound
 */
public record Capacity(long units, List<Cost> costs, int planAtMost) {
  /** No bound is known. */
  public static final long UNBOUNDED = Long.MAX_VALUE / 4;

  /**
   * The cost of some entries.
   *
   * @param only fields, a bit each: entries that use nothing else; all ones for any
   * @param anyOf fields: entries that use at least one of them; 0 for any
   * @param units for each entry
   */
  public record Cost(int only, int anyOf, int units) {
    /** The same cost for every entry. */
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

  /** The units that an entry with these fields costs in the switch. */
  public int unitsOf(int fields) {
    for (Cost cost : costs) {
      if (cost.fits(fields)) {
        return cost.units;
      }
    }
    throw new IllegalStateException("no cost fits " + HeaderField.labels(fields));
  }

  /**
   * The units to plan for such an entry: those of {@link #unitsOf}, or more because of {@link
   * #planAtMost}.
   */
  public int plannedUnitsOf(int fields) {
    int units = unitsOf(fields);
    return planAtMost == 0
        ? units
        : (int) Math.max(units, (this.units + planAtMost - 1) / planAtMost);
  }

  /** The number of entries that the switch holds if all have this structure. */
  public long entriesOf(int fields) {
    return units / unitsOf(fields);
  }

  /** Whether the number of units is known. */
  public boolean bounded() {
    return units < UNBOUNDED;
  }
}
