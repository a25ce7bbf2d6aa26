package io.lockstep.core.noun;

import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.Noun;
import io.lockstep.core.app.Resource;
import io.lockstep.core.app.ResourceDescription;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An application as its nouns and resources need it.
 *
 * @param tables the names of its own tables; its nouns and resources read no others
 */
public record AskedApplication(
    String name,
    ApplicationConfiguration configuration,
    Set<String> tables,
    List<Noun> nouns,
    List<Resource> resources) {
  /** Nouns at most. */
  public static final int MAX_NOUNS = 32;

  /** Resources at most. */
  public static final int MAX_RESOURCES = 16;

  public AskedApplication {
    tables = Set.copyOf(tables);
    nouns = List.copyOf(nouns);
    resources = List.copyOf(resources);
    requireDistinct(nouns);
    requireNamesOfTheirOwn(resources);
  }

  /** One without resources. */
  public AskedApplication(
      String name, ApplicationConfiguration configuration, Set<String> tables, List<Noun> nouns) {
    this(name, configuration, tables, nouns, List.of());
  }

  /**
   * Checks the resources of one application.
   *
   * @throws IllegalArgumentException where there are too many, or two have the same name
   */
  public static void requireNamesOfTheirOwn(List<Resource> resources) {
    if (resources.size() > MAX_RESOURCES) {
      throw new IllegalArgumentException("more than " + MAX_RESOURCES + " resources");
    }
    Set<String> names = new HashSet<>();
    for (Resource resource : resources) {
      ResourceDescription description = resource.description();
      for (String name : List.of(description.name(), description.item())) {
        if (!names.add(name)) {
          throw new IllegalArgumentException("the resource '" + name + "' is declared twice");
        }
      }
    }
  }

  /**
   * Checks the nouns of one application.
   *
   * @throws IllegalArgumentException where there are too many, or a name is there twice
   */
  public static void requireDistinct(List<Noun> nouns) {
    if (nouns.size() > MAX_NOUNS) {
      throw new IllegalArgumentException("more than " + MAX_NOUNS + " nouns");
    }
    Set<String> names = new HashSet<>();
    for (Noun noun : nouns) {
      if (!names.add(noun.name())) {
        throw new IllegalArgumentException("the noun '" + noun.name() + "' is declared twice");
      }
    }
  }
}
