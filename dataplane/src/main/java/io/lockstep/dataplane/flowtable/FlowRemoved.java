package io.lockstep.dataplane.flowtable;

/** Notice that an entry is gone, with its last counters (OpenFlow 1.3.5 section 7.4.2). */
public record FlowRemoved(
    int tableId,
    FlowMatch match,
    int priority,
    long cookie,
    Reason reason,
    long durationNanos,
    int idleTimeoutSeconds,
    int hardTimeoutSeconds,
    long packets,
    long bytes) {
  static FlowRemoved of(FlowEntry entry, Reason reason, long nowNanos) {
    return new FlowRemoved(
        entry.tableId(),
        entry.match(),
        entry.priority(),
        entry.cookie(),
        reason,
        entry.durationNanos(nowNanos),
        entry.idleTimeoutSeconds(),
        entry.hardTimeoutSeconds(),
        entry.packets(),
        entry.bytes());
  }

  /** Why. */
  public enum Reason {
    IDLE_TIMEOUT(0),
    HARD_TIMEOUT(1),
    DELETE(2),
    GROUP_DELETE(3);

    private final int number;

    Reason(int number) {
      this.number = number;
    }

    /** The number on the wire, and of its bit in an asynchronous mask. */
    public int number() {
      return number;
    }
  }
}
