package io.lockstep.placer.choice;

/**
 * What can be chosen for one layer. Rules are numbered from 0 in the order of descending priority.
 * A rule in the layer needs every rule above it that overlaps it in the layer too, or a cover of
 * it; rules that are served before the layer are left out of all lists.
 */
public interface LayerProblem {
  /** Number of rules. */
  int size();

  /** Traffic of a rule; not negative. */
  double weight(int rule);

  /** What the rule takes in the layer, or 0 where the layer cannot hold its match. */
  int units(int rule);

  /**
   * Whether the rule can be chosen at all: the layer holds its match, and it has few enough rules
   * above it for the search to look at all of them. Asked after {@link #above}, which finds that
   * out.
   */
  boolean candidate(int rule);

  /** The rules above that overlap this one. The caller does not change the array. */
  int[] above(int rule);

  /** The rules below that this one overlaps, perhaps not all where there are very many. */
  int[] below(int rule);

  /**
   * What a cover of {@code above} for the sake of {@code rule} takes, where the layer cannot hold
   * the match of {@code above} itself; 0 where there is none.
   */
  int pieceUnits(int above, int rule);

  /** Whether the layer can send packets on. If not, nothing is ever covered. */
  boolean covers();

  /** Units that may be used. */
  long capacity();

  /** Where in the order of arrival the rule is. */
  long arrival(int rule);
}
