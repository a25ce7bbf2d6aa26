package io.lockstep.history.check;

import java.util.List;
import java.util.SplittableRandom;

/**
 * The operations of one key that are not in the tried order yet, by start. Taking one out and
 * putting it back, in reverse order, takes constant time.
 */
final class OpenOperations {
  private static final long MARK_SEED = 0x5eed;

  private final List<Operation> operations;
  private final int[] before;
  private final int[] after;
  private final long[] marks;
  private int answered;
  private long markOne;
  private long markTwo;

  /**
   * All are open.
   *
   * @param operations by start
   */
  OpenOperations(List<Operation> operations) {
    this.operations = operations;
    int size = operations.size();
    before = new int[size + 1];
    after = new int[size + 1];
    marks = new SplittableRandom(MARK_SEED).longs(2L * size).toArray();
    for (int place = 0; place <= size; place++) {
      after[place] = place == size ? 0 : place + 1;
      before[place] = place == 0 ? size : place - 1;
    }
    answered = (int) operations.stream().filter(Operation::answered).count();
  }

  private int end() {
    return operations.size();
  }

  /** The first, or -1. */
  int first() {
    return place(after[end()]);
  }

  /** The next one, or -1. */
  int next(int place) {
    return place(after[place]);
  }

  private int place(int at) {
    return at == end() ? -1 : at;
  }

  void take(int place) {
    after[before[place]] = after[place];
    before[after[place]] = before[place];
    count(place, -1);
  }

  void putBack(int place) {
    after[before[place]] = place;
    before[after[place]] = place;
    count(place, 1);
  }

  private void count(int place, int change) {
    if (operations.get(place).answered()) {
      answered += change;
    }
    markOne ^= marks[2 * place];
    markTwo ^= marks[2 * place + 1];
  }

  /** How many of them were answered; the others need not be in the order. */
  int answered() {
    return answered;
  }

  /** 128 bits that tell this set from any other, but for a chance of about 1 in 2^100. */
  long markOne() {
    return markOne;
  }

  long markTwo() {
    return markTwo;
  }

  /** When it was over for those after it: an unanswered one never is. */
  long endNanos(int place) {
    Operation operation = operations.get(place);
    return operation.answered() ? operation.endNanos() : Long.MAX_VALUE;
  }
}
