package io.lockstep.store.engine;

import io.lockstep.store.measure.DurationHistogram;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a replica timed and counted since its process started.
 *
 * @param syncs how long the log took to make bytes durable; null where nothing is on disk
 * @param snapshots how long it took to write each snapshot
 * @param lastSnapshotBytes of the newest snapshot, 0 where there is none
 * @param refusedConnections by the port that refused them: {@code client} or {@code replica}
 */
public record ReplicaMeasures(
    DurationHistogram.@Nullable Reading syncs,
    DurationHistogram.Reading snapshots,
    long lastSnapshotBytes,
    Map<String, Long> refusedConnections) {
  /** Of a replica that measures nothing. */
  public static final ReplicaMeasures NONE =
      new ReplicaMeasures(null, new DurationHistogram().read(), 0, Map.of());

  public ReplicaMeasures {
    refusedConnections = Map.copyOf(refusedConnections);
  }
}
