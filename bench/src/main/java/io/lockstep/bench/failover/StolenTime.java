package io.lockstep.bench.failover;

import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.StringTokenizer;

/**
 * How much of the time of this machine's cores went to other machines of its host: the kernel's
 * count of stolen ticks. Where there is a lot of it, stalls are not of our making.
 */
final class StolenTime {
  /** Where the kernel counts; the first line is for all cores together. */
  private static final Path COUNTS = Path.of("/proc/stat");

  /** The eighth number after the name. */
  private static final int STOLEN = 8;

  private final Path counts;
  private long allBefore;
  private long stolenBefore;

  StolenTime(Path counts) {
    this.counts = counts;
  }

  static StolenTime ofThisMachine() {
    return new StolenTime(COUNTS);
  }

  /** From here on counts. */
  void begin() throws BenchException {
    look();
  }

  /**
   * Since the last call, in percent of the time of all cores.
   *
   * @throws BenchException where the kernel does not count as Linux does
   */
  double percent() throws BenchException {
    long allEarlier = allBefore;
    long stolenEarlier = stolenBefore;
    look();
    long span = allBefore - allEarlier;
    return span == 0 ? 0 : 100.0 * (stolenBefore - stolenEarlier) / span;
  }

  private void look() throws BenchException {
    long all = 0;
    long stolen = 0;
    try {
      StringTokenizer line =
          new StringTokenizer(Files.readString(counts).lines().findFirst().orElse(""));
      line.nextToken();
      for (int i = 1; i <= STOLEN; i++) {
        stolen = Long.parseLong(line.nextToken());
        all += stolen;
      }
    } catch (IOException | NoSuchElementException | NumberFormatException e) {
      throw new BenchException(counts + " does not say how much time was stolen", e);
    }
    allBefore = all;
    stolenBefore = stolen;
  }
}
