package io.lockstep.core.cluster;

import java.util.Arrays;

/**
 * A place at which the file of a node or replica differs from what the cluster agreed on.
 *
 * @param node whose file it is; of a replica its {@link ListedProcess#replicaName}
 * @param file its path; empty where it is not known
 * @param place for example {@code domain west: switches}
 * @param here what the file says; {@code -} for nothing
 * @param cluster what the store or the majority of the nodes says; {@code -} for nothing
 */
public record Difference(String node, String file, String place, String here, String cluster) {

  /** Longest text of a value; what is longer is cut, with three dots where text is missing. */
  static final int MAX_VALUE_CHARS = 200;

  /** Differences that are listed between two values. */
  static final int MAX_LISTED = 20;

  private static final int SHOWN_BEFORE_CHARS = 40;
  private static final String DOTS = "...";

  public Difference {
    int from = 0;
    if (here.length() > MAX_VALUE_CHARS || cluster.length() > MAX_VALUE_CHARS) {
      // Long values are the same at their beginning: a list of switches with one more at the end.
      int differs = Arrays.mismatch(here.toCharArray(), cluster.toCharArray());
      from = Math.max(0, differs - SHOWN_BEFORE_CHARS);
    }
    here = shortened(here, from);
    cluster = shortened(cluster, from);
  }

  private static String shortened(String text, int from) {
    String shown =
        from < DOTS.length() ? text : DOTS + text.substring(Math.min(from, text.length()));
    return shown.length() <= MAX_VALUE_CHARS
        ? shown
        : shown.substring(0, MAX_VALUE_CHARS - DOTS.length()) + DOTS;
  }
}
