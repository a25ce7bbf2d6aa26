package io.lockstep.history;

import io.lockstep.history.check.Operation;
import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.nemesis.FaultRecord;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes that were under way while a fault acted.
 *
 * @param writes all of them
 * @param unknown those without an answer
 */
record WriteShare(long writes, long unknown) {
  /** A shorter run may have too few faults that leave writes without an answer. */
  static final int JUDGED_FROM_SECONDS = 240;

  static WriteShare of(List<Operation> operations, List<FaultRecord> faults) {
    TreeMap<Long, Long> spans = new TreeMap<>();
    for (FaultRecord fault : faults) {
      Map.Entry<Long, Long> before = spans.floorEntry(fault.startNanos());
      boolean overlaps = before != null && before.getValue() >= fault.startNanos();
      spans.merge(overlaps ? before.getKey() : fault.startNanos(), fault.endNanos(), Math::max);
    }
    long writes = 0;
    long unknown = 0;
    for (Operation operation : operations) {
      Map.Entry<Long, Long> last = spans.floorEntry(operation.endNanos());
      if (operation.writes() && last != null && last.getValue() >= operation.startNanos()) {
        writes++;
        unknown += operation.outcome() == Outcome.UNKNOWN ? 1 : 0;
      }
    }
    return new WriteShare(writes, unknown);
  }

  /** Whether at least one write of a hundred had no answer, in a run that is long enough for it. */
  boolean suffices(int seconds) {
    return seconds < JUDGED_FROM_SECONDS || 100 * unknown >= writes;
  }

  /** Of a hundred writes so many had no answer; 0 where there was none. */
  double unknownPercent() {
    return writes == 0 ? 0 : Math.round(10_000.0 * unknown / writes) / 100.0;
  }
}
