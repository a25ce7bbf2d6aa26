package io.lockstep.history;

import io.lockstep.history.nemesis.Cluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What is alive on the replicas' heaps after full collections: at the start, every minute in which
 * all is well, at the end. Used by one thread.
 */
final class HeapUse {
  /** The heap may hold so much more at the end than at the start, at each replica. */
  static final long MOST_GROWTH_MEGABYTES = 32;

  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final List<List<Long>> samples = new ArrayList<>();
  private long lastNanos;

  /** Whether the last look was a minute ago. */
  boolean isDue(long nowNanos) {
    return samples.isEmpty() || nowNanos - lastNanos >= EVERY_NANOS;
  }

  /** Looks; every replica runs. */
  void look(Cluster cluster, long nowNanos) throws IOException, InterruptedException {
    lastNanos = nowNanos;
    add(cluster.liveHeapBytes().stream().map(bytes -> bytes >> 20).toList());
  }

  void add(List<Long> megabytes) {
    samples.add(List.copyOf(megabytes));
  }

  /** By replica; empty before the first look. */
  List<Long> start() {
    return samples.isEmpty() ? List.of() : samples.get(0);
  }

  /** By replica; empty before the first look. */
  List<Long> end() {
    return samples.isEmpty() ? List.of() : samples.get(samples.size() - 1);
  }

  /** Of all replicas at any look. */
  long largest() {
    return samples.stream().mapToLong(Collections::max).max().orElse(0);
  }

  /** Whether every heap was below the bound, and has not grown by more than is allowed. */
  boolean within(long boundMegabytes) {
    boolean grown = false;
    for (int id = 0; id < start().size(); id++) {
      grown |= end().get(id) - start().get(id) > MOST_GROWTH_MEGABYTES;
    }
    return !samples.isEmpty() && largest() < boundMegabytes && !grown;
  }
}
