package io.lockstep.core.app;

import io.lockstep.store.Command;

/**
 * How old the answer to a question may be. Every question says it where it is asked, so the bound
 * stands beside what it is good for.
 *
 * @param millis with {@link Kind#WITHIN}, how long ago the answer may have been right; else 0
 */
public record Freshness(Kind kind, long millis) {
  private static final long MOST_MILLIS = 3_600_000;

  /** Where the answer may come from. */
  public enum Kind {
    /** From the store: linearizable. */
    STORE,
    /** From the node's cache if it was right so recently. */
    WITHIN,
    /** From the node's cache where that is exact, since only the switch's master writes it. */
    OWN
  }

  /** The store answers; linearizable. */
  public static final Freshness EXACT = new Freshness(Kind.STORE, 0);

  /**
   * For entries that only the master of the asking switch writes, always with this freshness. A
   * {@link Command.Get} is answered from the cache where that knows the entry exactly. A {@link
   * Command.Put} of the value that it knows exactly is left out: the reply is that of the put that
   * wrote it. Else the store answers. What was learned ends with the mastership of the switch, with
   * its epoch, and with the node's session.
   */
  public static final Freshness OWN = new Freshness(Kind.OWN, 0);

  public Freshness {
    if (millis < 0 || millis > MOST_MILLIS || (millis > 0 && kind != Kind.WITHIN)) {
      throw new IllegalArgumentException(kind + " of " + millis + " ms; give 0 to " + MOST_MILLIS);
    }
  }

  /**
   * The answer may be one that was right within the last milliseconds. For a {@link Command.Get},
   * {@link Command.GetColumns}, {@link Command.GetThrough} or {@link Command.Query}.
   *
   * @param millis 0 to 3 600 000; with 0 the store answers, and the cache keeps the answer for
   *     others
   */
  public static Freshness within(long millis) {
    return new Freshness(Kind.WITHIN, millis);
  }

  /** Whether the store answers, and no cache. */
  public boolean isExact() {
    return kind == Kind.STORE;
  }

  /** Checks that a command can be answered like this. */
  void requireFor(Command command) {
    boolean allowed =
        switch (kind) {
          case STORE -> true;
          case WITHIN -> command.isRead() && !(command instanceof Command.Scan);
          case OWN -> command instanceof Command.Get || command instanceof Command.Put;
        };
    if (!allowed) {
      throw new IllegalArgumentException(
          "a " + command.getClass().getSimpleName() + " cannot be answered from a cache " + kind);
    }
  }
}
