package io.lockstep.store.core;

import io.lockstep.store.MicroComponent;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The micro components by name and by the version of the cluster from which on they can be called.
 * Owned by one thread.
 */
final class Components {
  private final NameIndex<Variant> newest = new NameIndex<>();

  /**
   * A component, and the one of the same name that it replaces.
   *
   * @param since copied from the component, which must not decide anew with each call
   */
  private record Variant(MicroComponent component, int since, @Nullable Variant older) {
    Variant with(MicroComponent added) {
      if (added.since() > since) {
        return new Variant(added, added.since(), this);
      }
      return new Variant(
          component,
          since,
          older == null ? new Variant(added, added.since(), null) : older.with(added));
    }

    boolean has(int version) {
      return since == version || (older != null && older.has(version));
    }
  }

  /**
   * @throws IllegalArgumentException where a name or a version is illegal, or where two components
   *     have the same name and version
   */
  Components(Collection<? extends MicroComponent> components) {
    for (MicroComponent component : components) {
      add(component.name(), component);
    }
  }

  private void add(String name, MicroComponent component) {
    int since = component.since();
    if (!Limits.isName(name)) {
      throw new IllegalArgumentException("not the name of a micro component: " + name);
    }
    if (since < 1) {
      throw new IllegalArgumentException("micro component " + name + " since version " + since);
    }
    Variant known = newest.find(name);
    if (known != null && known.has(since)) {
      throw new IllegalArgumentException(
          "two micro components are called " + name + " from version " + since + " on");
    }
    newest.put(name, known == null ? new Variant(component, since, null) : known.with(component));
  }

  /** The component that a call runs in this version of the cluster, or null. */
  @Nullable MicroComponent find(String name, int version) {
    Variant variant = newest.find(name);
    while (variant != null && variant.since > version) {
      variant = variant.older;
    }
    return variant == null ? null : variant.component;
  }

  /** The newest component of this name, whether it can be called or not. */
  @Nullable MicroComponent newest(String name) {
    Variant variant = newest.find(name);
    return variant == null ? null : variant.component;
  }
}
