package io.lockstep.placer.choice;

/**
 * The problem of choosing the rules of one layer. Rules are numbered from 0 in the order of
 * descending priority. For a rule in the layer, every rule above on which it depends must be in the
 * layer, too, or be covered there. Rules that an earlier layer serves are in none of the lists.
 */
public interface LayerProblem {
  /** Number of rules. */
  int size();

  /** Traffic of a rule; not negative. */
  double weight(int rule);

  /** The units of the rule in the layer, or 0 if the layer cannot hold its match. */
  int units(int rule);

  /**
   * Whether the rule can be chosen at all: the layer holds its match, and it has few enough rules
   * above it for the search to look at all of them. Valid after a call of {@link #above}, which
   * counts them.
   */
  boolean candidate(int rule);

  /**
   * The rules above that must have an entry in the layer if this one is there, in ascending order.
   * The caller does not change the array.
   */
  int[] above(int rule);

  /** The rules below that this one overlaps; not all of them if there are very many. */
  int[] below(int rule);

  /**
   * The units of a cover of {@code above} that {@code rule} needs, if the layer cannot hold the
   * match of {@code above} itself; 0 if no cover is possible.
   */
  int pieceUnits(int above, int rule);

  /** Whether the layer can send packets on. If not, there are no covers. */
  boolean covers();

  /** Units that may be used. */
  long capacity();

  /** The position of the rule in the order of arrival. */
  long arrival(int rule);
}
