package io.lockstep.history.mixed;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.lockstep.history.check.Operation.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One operation on several entries as its client saw it: a line of {@code mixed.jsonl}. Names of
 * the components are the fields. Immutable.
 *
 * @param client who sent it
 * @param guards the versions that had to hold for it to take effect
 * @param writes what it was to write, all or nothing
 * @param range what a scan has read to the end; null for all others
 * @param startNanos just before it was sent, on the run's clock
 * @param endNanos when its answer was there, or when it was given up
 * @param outcome {@code failed}: a guard did not hold; {@code error}: surely not applied otherwise
 * @param index of its place in the order of the whole store; null where its answer tells none, as
 *     for scans and single reads
 * @param reads the entries as it found them, just before its own writes; of a scan all entries in
 *     the range; of a failed one the entry that a guard did not fit
 */
public record Step(
    String client,
    Op op,
    List<Guard> guards,
    List<Write> writes,
    @Nullable Range range,
    long startNanos,
    long endNanos,
    Outcome outcome,
    @Nullable Long index,
    List<ReadEntry> reads) {

  /** What was asked for. */
  public enum Op {
    /** Reads and writes over tables, all or none, with guards or without. */
    @JsonProperty("batch")
    BATCH,
    /** Reads a range. */
    @JsonProperty("scan")
    SCAN,
    /** A micro component that reads some entries and writes one value to all of them. */
    @JsonProperty("exchange")
    EXCHANGE,
    /** A micro component that takes a lease whose holder's session has ended. */
    @JsonProperty("takeLease")
    TAKE_LEASE,
    /** A batch that removes a lease, guarded by its version. */
    @JsonProperty("releaseLease")
    RELEASE_LEASE,
    /** A batch that writes what the holder of a lease may write, guarded by the lease's version. */
    @JsonProperty("guardedWrite")
    GUARDED_WRITE,
    /** Reads one entry. */
    @JsonProperty("get")
    GET,
    /** Writes one entry. */
    @JsonProperty("put")
    PUT
  }

  /** The place of an entry. */
  public record Cell(String table, String key) implements Comparable<Cell> {
    @Override
    public int compareTo(Cell other) {
      int tables = table.compareTo(other.table);
      return tables != 0 ? tables : key.compareTo(other.key);
    }

    @Override
    public String toString() {
      return table + "/" + key;
    }
  }

  /**
   * A condition.
   *
   * @param version 0 where there had to be no entry
   */
  public record Guard(String table, String key, long version) {
    /** Whose version. */
    public Cell cell() {
      return new Cell(table, key);
    }
  }

  /**
   * A write.
   *
   * @param value null for a remove
   */
  public record Write(String table, String key, @Nullable String value) {
    /** Where. */
    public Cell cell() {
      return new Cell(table, key);
    }
  }

  /**
   * An entry as it was read.
   *
   * @param value null where there was none
   * @param version 0 where there was none
   */
  public record ReadEntry(String table, String key, @Nullable String value, long version) {
    public ReadEntry {
      if ((value == null) != (version == 0) || version < 0) {
        throw new IllegalArgumentException("an entry with value " + value + " @" + version);
      }
    }

    /** Where. */
    public Cell cell() {
      return new Cell(table, key);
    }
  }

  /**
   * Keys of a table.
   *
   * @param from the first
   * @param to behind the last; null for the end of the table
   */
  public record Range(String table, String from, @Nullable String to) {}

  public Step {
    guards = List.copyOf(guards);
    writes = List.copyOf(writes);
    reads = List.copyOf(reads);
    boolean answered = outcome == Outcome.OK || outcome == Outcome.FAILED;
    if (endNanos < startNanos) {
      throw new IllegalArgumentException("ends before it starts");
    }
    if (!answered && !reads.isEmpty()) {
      throw new IllegalArgumentException("outcome " + outcome + " with reads");
    }
    if (index != null && outcome != Outcome.OK) {
      throw new IllegalArgumentException("outcome " + outcome + " with an index");
    }
    if (index == null && outcome == Outcome.OK && !writes.isEmpty()) {
      throw new IllegalArgumentException("writes that took effect without an index");
    }
    if (outcome == Outcome.FAILED && guards.isEmpty()) {
      throw new IllegalArgumentException("failed without a guard");
    }
    if ((op == Op.SCAN) != (range != null)) {
      throw new IllegalArgumentException(op + (range == null ? " without" : " with") + " a range");
    }
  }
}
