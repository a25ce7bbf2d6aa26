package io.lockstep.history.check;

import io.lockstep.history.check.Operation.Kind;
import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.check.Operation.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Histories in words: an operation's time is a span, its answer comes last. */
final class TestHistory {
  private final List<Operation> operations = new ArrayList<>();
  private String key = "k";
  private long start;
  private long end;

  TestHistory on(String name) {
    key = name;
    return this;
  }

  TestHistory at(long from, long to) {
    start = from;
    end = to;
    return this;
  }

  TestHistory get(@Nullable String value, long version) {
    return add(Kind.GET, null, null, Outcome.OK, new Result(value, version));
  }

  TestHistory put(String value, long version) {
    return add(Kind.PUT, value, null, Outcome.OK, new Result(value, version));
  }

  TestHistory putUnknown(String value) {
    return add(Kind.PUT, value, null, Outcome.UNKNOWN, null);
  }

  TestHistory putIfAbsent(String value, long version) {
    return add(Kind.PUT_IF_ABSENT, value, null, Outcome.OK, new Result(value, version));
  }

  TestHistory putIfAbsentFailed(String value, String found, long version) {
    return add(Kind.PUT_IF_ABSENT, value, null, Outcome.FAILED, new Result(found, version));
  }

  TestHistory putIfAbsentUnknown(String value) {
    return add(Kind.PUT_IF_ABSENT, value, null, Outcome.UNKNOWN, null);
  }

  TestHistory replace(long expected, String value, long version) {
    return add(Kind.REPLACE, value, expected, Outcome.OK, new Result(value, version));
  }

  TestHistory replaceFailed(long expected, String value, @Nullable String found, long version) {
    return add(Kind.REPLACE, value, expected, Outcome.FAILED, new Result(found, version));
  }

  TestHistory remove(@Nullable Long expected, long version) {
    return add(Kind.REMOVE, null, expected, Outcome.OK, new Result(null, version));
  }

  TestHistory removeFailed(@Nullable Long expected, @Nullable String found, long version) {
    return add(Kind.REMOVE, null, expected, Outcome.FAILED, new Result(found, version));
  }

  TestHistory removeUnknown(@Nullable Long expected) {
    return add(Kind.REMOVE, null, expected, Outcome.UNKNOWN, null);
  }

  TestHistory increment(long delta, long value, long version) {
    Result result = new Result(Long.toString(value), version);
    return add(Kind.INCREMENT, Long.toString(delta), null, Outcome.OK, result);
  }

  TestHistory incrementUnknown(long delta) {
    return add(Kind.INCREMENT, Long.toString(delta), null, Outcome.UNKNOWN, null);
  }

  TestHistory error(String value) {
    return add(Kind.PUT, value, null, Outcome.ERROR, null);
  }

  private TestHistory add(
      Kind kind,
      @Nullable String value,
      @Nullable Long expected,
      Outcome outcome,
      @Nullable Result result) {
    operations.add(
        new Operation("1", kind, "t", key, value, expected, start, end, outcome, result));
    return this;
  }

  List<Operation> operations() {
    return operations;
  }

  List<Violation> violations() throws InterruptedException {
    return check(operations).violations();
  }

  static HistoryChecker.Report check(List<Operation> operations) throws InterruptedException {
    ExecutorService workers = Executors.newFixedThreadPool(2);
    try {
      return HistoryChecker.check(operations, workers);
    } finally {
      workers.shutdownNow();
    }
  }
}
