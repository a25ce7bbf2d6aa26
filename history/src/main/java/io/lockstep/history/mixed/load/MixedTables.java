package io.lockstep.history.mixed.load;

import io.lockstep.history.mixed.component.TakeLease;
import java.util.List;

/** The tables of the mixed load; those of {@code history.jsonl} are others. */
public final class MixedTables {
  /** Entries that batches, components and scans meet at. */
  public static final String LEFT = "left";

  /** The same: what goes over both tables is atomic. */
  public static final String RIGHT = "right";

  /** Few entries of up to the largest value. */
  public static final String LARGE = "large";

  /** The version of an entry is the fence of who holds the lease. */
  public static final String LEASES = "leases";

  /** What the holders of leases write. */
  public static final String GUARDED = "guarded";

  /** All of them. */
  public static final List<String> ALL =
      List.of(LEFT, RIGHT, LARGE, LEASES, GUARDED, TakeLease.HOLDERS);

  /** Those whose entries stand in {@code mixed.jsonl}. */
  public static final List<String> RECORDED = List.of(LEFT, RIGHT, LARGE, LEASES, GUARDED);

  private MixedTables() {}
}
