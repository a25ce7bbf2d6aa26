package io.lockstep.dataplane.profile;

import io.lockstep.dataplane.packet.OxmField;
import java.util.Collections;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What entries of a certain structure take of a memory.
 *
 * @param only applies to entries that match on none but these; null for no such condition
 * @param anyOf applies to entries that match on one of these; null for no such condition
 * @param units 1 or more
 */
public record EntryCost(@Nullable Set<OxmField> only, @Nullable Set<OxmField> anyOf, int units) {
  public EntryCost {
    only = only == null ? null : Set.copyOf(only);
    anyOf = anyOf == null ? null : Set.copyOf(anyOf);
    if (units < 1) {
      throw new IllegalArgumentException("an entry takes 1 unit or more, not " + units);
    }
  }

  boolean appliesTo(Set<OxmField> fields) {
    boolean nothingElse = only == null || only.containsAll(fields);
    return nothingElse && (anyOf == null || !Collections.disjoint(anyOf, fields));
  }
}
