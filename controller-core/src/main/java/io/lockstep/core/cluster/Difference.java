package io.lockstep.core.cluster;

/**
 * A place at which a node's file differs from what the cluster agreed on.
 *
 * @param node whose file it is
 * @param file its path; empty where it is not known
 * @param place for example {@code domain west: switches}
 * @param here what the file says; {@code -} for nothing
 * @param cluster what the store or the majority of the nodes says; {@code -} for nothing
 */
public record Difference(String node, String file, String place, String here, String cluster) {

  /** Longest text of a value; what is longer ends in three dots. */
  static final int MAX_VALUE_CHARS = 200;

  /** Differences that are listed between two values. */
  static final int MAX_LISTED = 20;

  public Difference {
    here = shortened(here);
    cluster = shortened(cluster);
  }

  private static String shortened(String text) {
    return text.length() <= MAX_VALUE_CHARS ? text : text.substring(0, MAX_VALUE_CHARS - 3) + "...";
  }
}
