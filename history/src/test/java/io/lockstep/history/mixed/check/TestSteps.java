package io.lockstep.history.mixed.check;

import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.check.Violation;
import io.lockstep.history.mixed.Step;
import io.lockstep.history.mixed.Step.Guard;
import io.lockstep.history.mixed.Step.Op;
import io.lockstep.history.mixed.Step.Range;
import io.lockstep.history.mixed.Step.ReadEntry;
import io.lockstep.history.mixed.Step.Write;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Steps in words: a step's time is a span; keys of the tables left and right are letters. */
final class TestSteps {
  private final List<Step> steps = new ArrayList<>();
  private long start;
  private long end;

  TestSteps at(long from, long to) {
    start = from;
    end = to;
    return this;
  }

  static Write left(String key, @Nullable String value) {
    return new Write("left", key, value);
  }

  static Write right(String key, @Nullable String value) {
    return new Write("right", key, value);
  }

  static ReadEntry sawLeft(String key, @Nullable String value, long version) {
    return new ReadEntry("left", key, value, version);
  }

  static ReadEntry sawRight(String key, @Nullable String value, long version) {
    return new ReadEntry("right", key, value, version);
  }

  static Guard lease(long version) {
    return new Guard("leases", "l", version);
  }

  TestSteps batch(long index, Write... writes) {
    return add(Op.BATCH, List.of(), List.of(writes), null, Outcome.OK, index, List.of());
  }

  TestSteps unanswered(Write... writes) {
    return add(Op.BATCH, List.of(), List.of(writes), null, Outcome.UNKNOWN, null, List.of());
  }

  TestSteps rejected(Write... writes) {
    return add(Op.BATCH, List.of(), List.of(writes), null, Outcome.ERROR, null, List.of());
  }

  TestSteps readAt(long index, ReadEntry... reads) {
    return add(Op.BATCH, List.of(), List.of(), null, Outcome.OK, index, List.of(reads));
  }

  TestSteps get(ReadEntry read) {
    return add(Op.GET, List.of(), List.of(), null, Outcome.OK, null, List.of(read));
  }

  TestSteps scan(ReadEntry... reads) {
    return scanOf(new Range("left", "", null), reads);
  }

  TestSteps scanOf(Range range, ReadEntry... reads) {
    return add(Op.SCAN, List.of(), List.of(), range, Outcome.OK, null, List.of(reads));
  }

  TestSteps exchange(long index, String value, ReadEntry... before) {
    List<Write> writes = new ArrayList<>();
    for (ReadEntry seen : before) {
      writes.add(new Write(seen.table(), seen.key(), value));
    }
    return add(Op.EXCHANGE, List.of(), writes, null, Outcome.OK, index, List.of(before));
  }

  TestSteps takeLease(long index, String value) {
    List<Write> writes = List.of(new Write("leases", "l", value));
    return add(Op.TAKE_LEASE, List.of(), writes, null, Outcome.OK, index, List.of());
  }

  TestSteps guarded(long fence, long index, String value) {
    return guarded(fence, Outcome.OK, index, value);
  }

  TestSteps guardedUnanswered(long fence, String value) {
    return guarded(fence, Outcome.UNKNOWN, null, value);
  }

  private TestSteps guarded(long fence, Outcome outcome, @Nullable Long index, String value) {
    List<Write> writes = List.of(new Write("guarded", "g", value));
    return add(Op.GUARDED_WRITE, List.of(lease(fence)), writes, null, outcome, index, List.of());
  }

  TestSteps guardedRefused(long fence, String value, @Nullable String found, long version) {
    List<Write> writes = List.of(new Write("guarded", "g", value));
    List<ReadEntry> seen = List.of(new ReadEntry("leases", "l", found, version));
    return add(Op.GUARDED_WRITE, List.of(lease(fence)), writes, null, Outcome.FAILED, null, seen);
  }

  private TestSteps add(
      Op op,
      List<Guard> guards,
      List<Write> writes,
      @Nullable Range range,
      Outcome outcome,
      @Nullable Long index,
      List<ReadEntry> reads) {
    steps.add(new Step("1", op, guards, writes, range, start, end, outcome, index, reads));
    return this;
  }

  List<Step> steps() {
    return steps;
  }

  List<String> complaints() {
    return MixedChecker.violations(steps).stream().map(Violation::summary).toList();
  }
}
