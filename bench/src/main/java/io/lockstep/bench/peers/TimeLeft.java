package io.lockstep.bench.peers;

import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * An estimate of how long a run still takes: starts and points as they are set, each warm-up as
 * long as those so far. Pure.
 *
 * @param pointSeconds of one point, settling included
 * @param warmUpLimitSeconds of one variant; 0 where there is no warm-up
 */
record TimeLeft(int pointSeconds, int warmUpLimitSeconds) {
  /** Of the four processes, with putting the data in and removing it all again. */
  private static final int START_SECONDS = 10;

  /**
   * The estimate.
   *
   * @param blocks to be run, each with the points that are not measured yet
   * @param warmUps of this file so far; without any, half the limit is taken for each
   */
  int seconds(Collection<List<PointKey>> blocks, List<WarmedUp> warmUps) {
    double each =
        warmUps.stream().mapToInt(WarmedUp::seconds).average().orElse(warmUpLimitSeconds / 2.0);
    double sum = 0;
    for (List<PointKey> points : blocks) {
      if (!points.isEmpty()) {
        long variants = points.stream().map(PointKey::variant).distinct().count();
        double warm = warmUpLimitSeconds == 0 ? 0 : variants * each;
        sum += START_SECONDS + warm + points.size() * (double) pointSeconds;
      }
    }
    return (int) Math.round(sum);
  }

  /** In hours and minutes. */
  static String text(int seconds) {
    int minutes = Math.max(1, (seconds + 30) / 60);
    return minutes < 60
        ? minutes + " min"
        : String.format(Locale.ROOT, "%d h %02d min", minutes / 60, minutes % 60);
  }
}
