package io.lockstep.store.core;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds tables or components by name. Every operation looks one up, and a micro component does so
 * many times. So an array in front of the map caches the last one found for each hash. The map's
 * own lookup is slower, since it calls {@code equals} on keys of any class.
 *
 * <p>Nothing is ever removed, so its size is the number of names that were put. Owned by one
 * thread.
 */
final class NameIndex<T> {
  private static final int PLACES = 64;

  private final Map<String, T> all = new HashMap<>();
  private final @Nullable Found<T>[] found = places();

  private record Found<T>(String name, T thing) {}

  // Java has no generic arrays; only pairs of this type are ever stored.
  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <T> @Nullable Found<T>[] places() {
    return new Found[PLACES];
  }

  /** Puts a thing under its name; returns the one that it replaces, or null. */
  @Nullable T put(String name, T thing) {
    found[place(name)] = null;
    return all.put(name, thing);
  }

  /** The thing with this name, or null. */
  @Nullable T find(String name) {
    int place = place(name);
    Found<T> last = found[place];
    if (last != null && last.name.equals(name)) {
      return last.thing;
    }
    T thing = all.get(name);
    if (thing != null) {
      found[place] = new Found<>(name, thing);
    }
    return thing;
  }

  private static int place(String name) {
    int hash = name.hashCode();
    return (hash ^ (hash >>> 16)) & (PLACES - 1);
  }
}
