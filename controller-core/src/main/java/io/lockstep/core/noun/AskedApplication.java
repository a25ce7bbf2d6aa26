package io.lockstep.core.noun;

import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.Noun;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * An application as its nouns need it.
 *
 * @param tables the names of its own tables; its nouns read no others
 */
public record AskedApplication(
    String name, ApplicationConfiguration configuration, Set<String> tables, List<Noun> nouns) {
  /** Nouns at most. */
  public static final int MAX_NOUNS = 32;

  public AskedApplication {
    tables = Set.copyOf(tables);
    nouns = List.copyOf(nouns);
    requireDistinct(nouns);
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
