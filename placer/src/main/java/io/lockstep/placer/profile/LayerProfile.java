package io.lockstep.placer.profile;

import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.Map;
import java.util.Optional;

/**
 * One layer of a switch.
 *
 * @param id its name, unique in the switch
 * @param table the OpenFlow table that it is, or that it is a part of
 * @param kind of forwarding
 * @param terminal whether an entry ends a packet's way. If not, a later table decides whatever the
 *     entry does, so no rule can be here: adr/0048
 * @param allowed fields that its entries may use, a bit each
 * @param required fields that each of its entries must use
 * @param exactness of fields that do not take every mask
 * @param rewrites fields that its entries may set, a bit each
 * @param capacity of the layer
 * @param overflow what the switch does beyond the capacity
 * @param cover how its entries send packets on
 * @param reserveUnits units that stay free except while rules move
 */
public record LayerProfile(
    String id,
    int table,
    LayerKind kind,
    boolean terminal,
    int allowed,
    int required,
    Map<HeaderField, Exactness> exactness,
    int rewrites,
    Capacity capacity,
    Overflow overflow,
    Cover cover,
    int reserveUnits) {
  public LayerProfile {
    exactness = Map.copyOf(exactness);
  }

  /**
   * The reason why this layer cannot hold an entry; empty if it can.
   *
   * @param sets fields that the entry sets, a bit each
   */
  public Optional<String> whyNot(TernaryMatch match, int sets) {
    if (!terminal) {
      return Optional.of("takes no rules: a later table decides over its entries");
    }
    int foreign = match.fields() & ~allowed;
    if (foreign != 0) {
      return Optional.of("cannot match " + HeaderField.labels(foreign));
    }
    int missing = required & ~match.fields();
    if (missing != 0) {
      return Optional.of("needs a match on " + HeaderField.labels(missing));
    }
    for (Map.Entry<HeaderField, Exactness> entry : exactness.entrySet()) {
      if (!takes(entry.getKey(), entry.getValue(), match.mask(entry.getKey()))) {
        return Optional.of(
            entry.getValue() == Exactness.EXACT
                ? "matches " + entry.getKey().label() + " only exactly"
                : "matches " + entry.getKey().label() + " only by prefix");
      }
    }
    return (sets & ~rewrites) == 0
        ? Optional.empty()
        : Optional.of("cannot rewrite " + HeaderField.labels(sets & ~rewrites));
  }

  /** Whether this layer can hold such an entry: as {@link #whyNot}, without a text. */
  public boolean holds(TernaryMatch match, int sets) {
    if (!terminal
        || (match.fields() & ~allowed) != 0
        || (required & ~match.fields()) != 0
        || (sets & ~rewrites) != 0) {
      return false;
    }
    for (Map.Entry<HeaderField, Exactness> entry : exactness.entrySet()) {
      if (!takes(entry.getKey(), entry.getValue(), match.mask(entry.getKey()))) {
        return false;
      }
    }
    return true;
  }

  private static boolean takes(HeaderField field, Exactness exactness, long mask) {
    if (mask == 0 || mask == field.full() || exactness == Exactness.ANY) {
      return true;
    }
    long open = field.full() & ~mask;
    return exactness == Exactness.PREFIX && (open & (open + 1)) == 0;
  }

  /** This layer with other fields that its entries may set, a bit each. */
  public LayerProfile withRewrites(int fields) {
    return new LayerProfile(
        id,
        table,
        kind,
        terminal,
        allowed,
        required,
        exactness,
        fields,
        capacity,
        overflow,
        cover,
        reserveUnits);
  }

  /** This layer with another capacity and reserve. */
  public LayerProfile withCapacity(Capacity other, int reserve) {
    return new LayerProfile(
        id, table, kind, terminal, allowed, required, exactness, rewrites, other, overflow, cover,
        reserve);
  }
}
