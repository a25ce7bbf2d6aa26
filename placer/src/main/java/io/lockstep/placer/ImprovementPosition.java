package io.lockstep.placer;

/**
 * Where the next slice of an improvement begins.
 *
 * @param layer whose rules are exchanged
 * @param candidate of the layer, the heaviest first; {@link #AGGREGATES} for the layer's aggregated
 *     covers, which come behind all candidates
 */
public record ImprovementPosition(int layer, int candidate) {
  static final int AGGREGATES = -1;

  /** Where an improvement begins. */
  public static final ImprovementPosition BEGIN = new ImprovementPosition(0, 0);
}
