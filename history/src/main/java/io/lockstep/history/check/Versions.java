package io.lockstep.history.check;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The versions that operations on one key name, ascending, and how many answered ones that are not
 * in the tried order yet need each: such a version must neither be skipped nor left too early.
 */
final class Versions {
  private final long[] versions;
  private final int[] needed;
  private final boolean[] written;
  private final @Nullable String[] values;

  Versions(List<Operation> operations) {
    versions = operations.stream().flatMapToLong(Versions::named).sorted().distinct().toArray();
    needed = new int[versions.length];
    written = new boolean[versions.length];
    values = new @Nullable String[versions.length];
    for (Operation operation : operations) {
      Operation.Result result = operation.result();
      if (result != null && result.version() > 0) {
        int place = placeOf(result.version());
        written[place] |= operation.applied();
        if (!operation.applied() || operation.kind() == Operation.Kind.INCREMENT) {
          values[place] = result.value();
        }
      }
    }
  }

  private static LongStream named(Operation operation) {
    LongStream.Builder named = LongStream.builder();
    Operation.Result result = operation.result();
    if (result != null && result.version() > 0) {
      named.add(result.version());
    }
    Long expected = operation.expectedVersion();
    if (expected != null && operation.outcome() != Operation.Outcome.FAILED) {
      named.add(expected);
    }
    return named.build();
  }

  private int placeOf(long version) {
    return Arrays.binarySearch(versions, version);
  }

  /** An operation enters the tried order (-1) or leaves it (+1). */
  void count(Operation operation, int change) {
    Operation.Result result = operation.result();
    if (result != null && result.version() > 0) {
      needed[placeOf(result.version())] += change;
    }
    Long expected = operation.expectedVersion();
    if (operation.applied() && expected != null) {
      needed[placeOf(expected)] += change;
    }
  }

  /** The lowest place at or above {@code from} that is still needed; {@link #size} where none. */
  int firstNeeded(int from) {
    int place = from;
    while (place < versions.length && needed[place] == 0) {
      place++;
    }
    return place;
  }

  int size() {
    return versions.length;
  }

  long at(int place) {
    return versions[place];
  }

  /** Whether an answered write has this version: no other can. */
  boolean written(int place) {
    return written[place];
  }

  /** Whether an unanswered write of {@code value} can have this version. */
  boolean fits(int place, String value) {
    return !written[place] && (values[place] == null || value.equals(values[place]));
  }
}
