package io.lockstep.bench.variant;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.trace.TracedEvent;
import io.lockstep.core.trace.TracedOperation;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is printed of events. */
class VariantReportTest {
  private static final Bytes KEY = Bytes.utf8("k");
  private static final TracedOperation WRITE =
      operation(new Command.Put("t", KEY, KEY), new Reply.Applied(1), 34, 2);
  private static final TracedOperation READ =
      operation(new Command.Get("t", KEY), new Reply.Found(KEY, 1), 29, 7);

  private static TracedOperation operation(Command command, Reply reply, int asked, int answered) {
    return new TracedOperation("", 0, 1, command, reply, asked, answered);
  }

  private static WorkloadEvent event(int conflicts, TracedOperation... operations) {
    TracedEvent event =
        new TracedEvent(
            1, "learning-switch", "packet-in", 1, 1, 0, 1, "decided", List.of(operations));
    return new WorkloadEvent("ls-ucast", event, List.of(operations), conflicts);
  }

  @Test
  void eventsThatAskedTheSameAreShownOnceBesideThePaper() {
    List<WorkloadEvent> events =
        List.of(event(0, WRITE), event(0, WRITE, READ), event(2, WRITE, READ));
    List<String> lines = VariantReport.lines(events, Variant.INIT);
    assertThat(lines).hasSize(8);
    assertThat(lines.get(0)).isEqualTo("ls-ucast init: 2 events, 2 operations each, 2 conflicts");
    assertThat(lines.get(2)).matches(" +W +put +t +34 +2 +W +113 +1 +\\S.*");
    assertThat(lines.get(3)).matches(" +R +get +t +29 +7 +R +36 +77 +\\S.*");
    assertThat(lines.get(7)).as("what the paper has beyond").matches(" +- +R +36 +77 +\\S.*");
  }

  @Test
  void ownHasNoColumnInThePaper() {
    assertThat(VariantReport.lines(List.of(event(0, WRITE, READ)), Variant.OWN)).hasSize(4);
  }
}
