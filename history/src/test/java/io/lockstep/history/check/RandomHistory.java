package io.lockstep.history.check;

import io.lockstep.history.check.Operation.Kind;
import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.check.Operation.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Histories of one key as a right store would give them: some answers never come, and what was not
 * answered takes effect late or not at all.
 */
final class RandomHistory {
  private final Random random;
  private final boolean counter;
  private final List<Operation> operations = new ArrayList<>();
  private @Nullable String value;
  private long version;
  private long index;
  private int values;

  RandomHistory(Random random, boolean counter) {
    this.random = random;
    this.counter = counter;
  }

  /**
   * Makes a history.
   *
   * @param spread how far an operation's span reaches around its place: with more, more of them
   *     overlap
   * @param unknownPercent of the writes get no answer
   */
  List<Operation> make(int size, int spread, int unknownPercent) {
    for (int i = 0; i < size; i++) {
      index += 1 + (random.nextInt(8) == 0 ? 1 : 0);
      long place = 100L + 10L * i;
      long start = place - random.nextInt(10 * spread);
      long end = place + random.nextInt(10 * spread);
      add(Math.max(0, start), end, random.nextInt(100) < unknownPercent);
    }
    return operations;
  }

  private void add(long start, long end, boolean unknown) {
    Kind kind = kind();
    String written =
        switch (kind) {
          case GET, REMOVE -> null;
          case INCREMENT -> Integer.toString(1 + random.nextInt(3));
          default -> (counter ? "" : "v") + values++;
        };
    boolean guarded = kind == Kind.REPLACE || (kind == Kind.REMOVE && random.nextBoolean());
    Long expected = guarded ? Math.max(1, version - random.nextInt(2)) : null;
    boolean late = unknown && random.nextInt(3) == 0;
    Result result = late ? null : apply(kind, written, expected);
    boolean changed = result != null && result.version() == index;
    Outcome outcome =
        unknown ? Outcome.UNKNOWN : changed || kind == Kind.GET ? Outcome.OK : Outcome.FAILED;
    operations.add(
        new Operation(
            "1", kind, "t", "k", written, expected, start, end, outcome, unknown ? null : result));
  }

  private Kind kind() {
    int draw = random.nextInt(10);
    if (draw < 4) {
      return Kind.GET;
    }
    if (counter) {
      return draw < 9 ? Kind.INCREMENT : Kind.REMOVE;
    }
    return draw < 6
        ? Kind.PUT
        : draw < 7 ? Kind.PUT_IF_ABSENT : draw < 9 ? Kind.REPLACE : Kind.REMOVE;
  }

  private Result apply(Kind kind, @Nullable String written, @Nullable Long expected) {
    boolean matches = expected == null || (value != null && expected == version);
    boolean applies =
        switch (kind) {
          case GET -> false;
          case PUT, INCREMENT -> true;
          case PUT_IF_ABSENT -> value == null;
          case REPLACE -> matches;
          case REMOVE -> value != null && matches;
        };
    if (!applies) {
      return new Result(value, value == null ? 0 : version);
    }
    if (kind == Kind.INCREMENT && written != null) {
      long before = value == null ? 0 : Long.parseLong(value);
      value = Long.toString(before + Long.parseLong(written));
    } else {
      value = written;
    }
    version = index;
    return new Result(value, version);
  }
}
