package io.lockstep.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.history.check.Operation;
import io.lockstep.history.check.Operation.Kind;
import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.check.Operation.Result;
import io.lockstep.history.nemesis.FaultRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriteShareTest {
  private static Operation put(long from, long to, boolean answered) {
    return new Operation(
        "1",
        Kind.PUT,
        "t",
        "k",
        "v",
        null,
        from,
        to,
        answered ? Outcome.OK : Outcome.UNKNOWN,
        answered ? new Result("v", 1) : null);
  }

  private static Operation get(long from, long to) {
    return new Operation("1", Kind.GET, "t", "k", null, null, from, to, Outcome.UNKNOWN, null);
  }

  private static FaultRecord fault(long from, long to) {
    return new FaultRecord("kill", "", "", from, to, to, 0);
  }

  @Test
  void writesThatOverlapAFaultCount() {
    List<Operation> operations =
        List.of(
            put(0, 9, false),
            put(5, 10, true),
            put(15, 16, false),
            put(29, 50, true),
            put(31, 40, false),
            get(12, 13));
    List<FaultRecord> faults = List.of(fault(10, 20), fault(15, 30));
    assertThat(WriteShare.of(operations, faults)).isEqualTo(new WriteShare(3, 1));
    assertThat(WriteShare.of(operations, faults).unknownPercent()).isEqualTo(33.33);
    assertThat(WriteShare.of(operations, List.of()).unknownPercent()).isZero();
  }

  /** Else a run whose faults leave every answer would show nothing about lost ones. */
  @Test
  void oneWriteOfAHundredIsUnknownInALongRun() {
    assertThat(new WriteShare(1000, 10).suffices(240)).isTrue();
    assertThat(new WriteShare(1000, 9).suffices(240)).isFalse();
    assertThat(new WriteShare(1000, 0).suffices(239)).isTrue();
    assertThat(new WriteShare(0, 0).suffices(240)).as("without faults").isTrue();
  }
}
