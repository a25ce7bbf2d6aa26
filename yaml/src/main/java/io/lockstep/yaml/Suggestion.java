package io.lockstep.yaml;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word that is nearest to a mistyped one. */
public final class Suggestion {
  private static final int MAX_DISTANCE = 2;

  private Suggestion() {}

  /** The nearest of the known words, where one is near. */
  public static Optional<String> nearest(String word, Collection<String> known) {
    String best = null;
    int bestDistance = MAX_DISTANCE + 1;
    for (String candidate : known) {
      int distance = distance(word, candidate);
      if (distance < bestDistance && distance < candidate.length()) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return Optional.ofNullable(best);
  }

  /** Levenshtein's distance, without regard to case. */
  static int distance(String from, String to) {
    String a = from.toLowerCase(Locale.ROOT);
    String b = to.toLowerCase(Locale.ROOT);
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substitute = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substitute, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
