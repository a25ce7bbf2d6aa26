package io.lockstep.apps;

import io.lockstep.core.app.ApplicationProvider;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.TableSpec;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * The applications that are part of the product, as their providers declare them. They are found
 * where this class is: what a jar from outside declares is not among them.
 */
public final class Applications {
  private static final List<ApplicationProvider> ALL =
      ServiceLoader.load(ApplicationProvider.class, Applications.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .sorted(Comparator.comparing(ApplicationProvider::name))
          .toList();

  private Applications() {}

  /** All providers, by name. */
  public static List<ApplicationProvider> providers() {
    return ALL;
  }

  /** The micro components of all applications, for registration in every replica; stateless. */
  public static List<MicroComponent> microComponents() {
    return ALL.stream().flatMap(each -> each.microComponents().stream()).toList();
  }

  /** The tables of all applications, for every client to declare. */
  public static Map<String, TableSpec> tables() {
    Map<String, TableSpec> all = new HashMap<>();
    ALL.forEach(each -> all.putAll(each.tables()));
    return Map.copyOf(all);
  }
}
