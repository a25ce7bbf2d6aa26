package io.lockstep.bench.replay;

import java.util.Locale;

/** What a flow sends. */
public enum ReplayMode {
  /**
   * The paper's: as many messages as were recorded, of the same types and sizes, whatever the
   * answers are. Nothing is repeated. Keys are drawn from {@link MessageReplay#KEYS}.
   */
  MESSAGES,
  /**
   * Real conditions: references are followed, replaces carry what was read, one pool is shared by
   * all flows. A refused replace is repeated as the paper says, and counted.
   */
  LIVE;

  /** As it is written in results and options. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
