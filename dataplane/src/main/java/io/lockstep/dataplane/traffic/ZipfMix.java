package io.lockstep.dataplane.traffic;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Packets over many ways, of which the k-th gets a share of 1/k^s: a Poisson stream whose packets
 * choose their way one by one.
 */
public final class ZipfMix implements Flow {
  private final List<OneWay> paths;
  private final double[] upTo;
  private final double packetsPerSecond;
  private final int bytes;
  private final RandomGenerator random;
  private final long[] sent;
  private final long[] delivered;

  /**
   * @param paths most popular first, one or more
   * @param exponent 0 for equal shares
   * @param packetsPerSecond of all together
   * @param bytes of a frame
   */
  public ZipfMix(
      List<OneWay> paths,
      double exponent,
      double packetsPerSecond,
      int bytes,
      RandomGenerator random) {
    this.paths = List.copyOf(paths);
    this.packetsPerSecond = packetsPerSecond;
    this.bytes = bytes;
    this.random = random;
    this.upTo = new double[paths.size()];
    this.sent = new long[paths.size()];
    this.delivered = new long[paths.size()];
    double sum = 0;
    for (int i = 0; i < upTo.length; i++) {
      sum += Math.pow(i + 1, -exponent);
      upTo[i] = sum;
    }
    for (int i = 0; i < upTo.length; i++) {
      upTo[i] /= sum;
    }
  }

  /** The share of the k-th way, from 0. */
  public double share(int k) {
    return upTo[k] - (k == 0 ? 0 : upTo[k - 1]);
  }

  @Override
  public void start() {
    sendLater();
  }

  private void sendLater() {
    VirtualTime time = paths.get(0).time();
    double waitSeconds = -Math.log(1 - random.nextDouble()) / packetsPerSecond;
    time.at(time.nowNanos() + (long) (waitSeconds * 1e9), this::send);
  }

  private void send() {
    int found = Arrays.binarySearch(upTo, random.nextDouble());
    int chosen = Math.min(found < 0 ? -found - 1 : found, upTo.length - 1);
    sent[chosen]++;
    paths.get(chosen).send(bytes, () -> delivered[chosen]++);
    sendLater();
  }

  /** Packets sent on the k-th way so far. */
  public long sent(int k) {
    return sent[k];
  }

  /** Packets that arrived on the k-th way so far. */
  public long delivered(int k) {
    return delivered[k];
  }

  /** Bytes of whole frames. */
  @Override
  public long deliveredBytes() {
    return bytes * Arrays.stream(delivered).sum();
  }
}
