package io.lockstep.store.core;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds tables or components by name. Every operation looks one up, and one micro component does so
 * many times. So an array before the map keeps what was found last under a hash; the map's lookup
 * is slower, since it asks keys of any class whether they are equal.
 *
 * <p>Nothing is ever removed. Bounded by what is put in. Owned by one thread.
 */
final class NameIndex<T> {
  private static final int PLACES = 64;

  private final Map<String, T> all = new HashMap<>();
  private final @Nullable Found<T>[] found = places();

  private record Found<T>(String name, T thing) {}

  // Arrays have no parameter of type; none but these is ever stored.
  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <T> @Nullable Found<T>[] places() {
    return new Found[PLACES];
  }

  /** Puts a thing in place; gives the one that had the name, or null. */
  @Nullable T put(String name, T thing) {
    found[place(name)] = null;
    return all.put(name, thing);
  }

  /** What has the name, or null. */
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
