package io.lockstep.dataplane.profile;

import io.lockstep.dataplane.packet.OxmField;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * One memory that holds flow entries: a TCAM, a hash table, or the RAM of the switch's processor.
 *
 * @param units capacity; {@link #UNBOUNDED} for as many as come
 * @param allowed fields that its entries may match on
 * @param required fields that each of its entries has to match on
 * @param exact fields that its entries match on in every bit or not at all
 * @param rewrites fields that its entries may set
 * @param costs units that an entry takes: the first that applies counts; one unit where none does
 */
public record MemoryProfile(
    long units,
    Set<OxmField> allowed,
    Set<OxmField> required,
    Set<OxmField> exact,
    Set<OxmField> rewrites,
    List<EntryCost> costs) {
  /** No end of units. */
  public static final long UNBOUNDED = Long.MAX_VALUE;

  public MemoryProfile {
    allowed = copy(allowed);
    required = copy(required);
    exact = copy(exact);
    rewrites = copy(rewrites);
    costs = List.copyOf(costs);
    if (units < 0) {
      throw new IllegalArgumentException("capacity of 0 or more, not " + units);
    }
  }

  /** Immutable and in the order of the fields. */
  private static Set<OxmField> copy(Set<OxmField> fields) {
    EnumSet<OxmField> copy = EnumSet.noneOf(OxmField.class);
    copy.addAll(fields);
    return Collections.unmodifiableSet(copy);
  }

  /** A memory that takes every match and sets every field, one unit each. */
  public static MemoryProfile plain(long units) {
    Set<OxmField> all = EnumSet.allOf(OxmField.class);
    return new MemoryProfile(units, all, Set.of(), Set.of(), all, List.of());
  }

  /** The same with another capacity. */
  public MemoryProfile withUnits(long other) {
    return new MemoryProfile(other, allowed, required, exact, rewrites, costs);
  }

  /**
   * Whether the memory can hold an entry at all.
   *
   * @param fields that the entry matches on
   * @param masked those of them that it does not match in every bit
   * @param sets fields that the entry sets
   */
  public Fit fit(Set<OxmField> fields, Set<OxmField> masked, Set<OxmField> sets) {
    if (!allowed.containsAll(fields)) {
      return Fit.FIELD_NOT_ALLOWED;
    } else if (!fields.containsAll(required)) {
      return Fit.FIELD_MISSING;
    }
    if (!Collections.disjoint(exact, masked)) {
      return Fit.MASK_NOT_ALLOWED;
    }
    return rewrites.containsAll(sets) ? Fit.FITS : Fit.CANNOT_SET;
  }

  /** Units that an entry takes. */
  public int cost(Set<OxmField> fields) {
    for (EntryCost cost : costs) {
      if (cost.appliesTo(fields)) {
        return cost.units();
      }
    }
    return 1;
  }

  /** Entries that fit in when all are of the cheapest structure. */
  public long mostEntries() {
    int cheapest = costs.stream().mapToInt(EntryCost::units).min().orElse(1);
    boolean open = costs.stream().noneMatch(each -> each.only() == null && each.anyOf() == null);
    return units / (open ? 1 : cheapest);
  }

  /** Whether an entry can be held, or what is wrong with it. */
  public enum Fit {
    FITS,
    FIELD_NOT_ALLOWED,
    FIELD_MISSING,
    MASK_NOT_ALLOWED,
    CANNOT_SET
  }
}
