package io.lockstep.history.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The keys under load: a few at a time, so that clients meet; each is replaced by a new one when it
 * has had its share of operations, or of such without an answer. Each key has a line of the history
 * for its read at the end. Thread-safe.
 */
public final class KeyRing {
  /** Operations on one key, the reads at the end included. */
  public static final int MAX_OPERATIONS = 2_000;

  private static final int KEPT_FOR_THE_END = 20;

  /**
   * Operations without an answer on one key: each may have taken effect at any time since, and the
   * checker has to try.
   */
  static final int MAX_UNANSWERED = 6;

  /** A key and the newest version that an answer named; clients expect that one. */
  public static final class Slot {
    private final String table;
    private final String key;
    private int taken;
    private int unanswered;
    private volatile long newest;

    private Slot(String table, String key) {
      this.table = table;
      this.key = key;
    }

    /** The table. */
    public String table() {
      return table;
    }

    /** The key. */
    public String key() {
      return key;
    }

    boolean counter() {
      return table.equals(Tables.COUNTERS);
    }

    long newest() {
      return newest;
    }

    void saw(long version) {
      if (version > newest) {
        newest = version;
      }
    }
  }

  private final List<Slot> current = new ArrayList<>();
  private final List<Slot> all = new ArrayList<>();
  private final int perKey;
  private final LineBudget lines;

  /**
   * A ring.
   *
   * @param registers keys with texts at a time
   * @param counters keys with numbers at a time
   * @param perKey operations after which a key is replaced
   * @param lines at least one for each key at a time
   */
  public KeyRing(int registers, int counters, int perKey, LineBudget lines) {
    this.perKey = Math.min(perKey, MAX_OPERATIONS - KEPT_FOR_THE_END);
    this.lines = lines;
    for (int i = 0; i < registers + counters; i++) {
      Slot slot = fresh(i < registers ? Tables.REGISTERS : Tables.COUNTERS);
      if (slot == null) {
        throw new IllegalArgumentException("fewer lines than keys at a time");
      }
      current.add(slot);
    }
  }

  private @Nullable Slot fresh(String table) {
    if (!lines.take()) {
      return null;
    }
    String letter = table.equals(Tables.COUNTERS) ? "c" : "r";
    Slot slot = new Slot(table, letter + all.size());
    all.add(slot);
    return slot;
  }

  /** A key for one operation; null where it would have to be a new one and there is no line. */
  synchronized @Nullable Slot take(Random random) {
    int place = random.nextInt(current.size());
    Slot slot = current.get(place);
    if (slot.taken >= perKey || slot.unanswered >= MAX_UNANSWERED) {
      slot = fresh(slot.table);
      if (slot == null) {
        return null;
      }
      current.set(place, slot);
    }
    slot.taken++;
    return slot;
  }

  /** An operation on a key has ended without an answer. */
  synchronized void unanswered(Slot slot) {
    slot.unanswered++;
  }

  /** All keys that were ever taken. */
  public synchronized List<Slot> all() {
    return List.copyOf(all);
  }
}
