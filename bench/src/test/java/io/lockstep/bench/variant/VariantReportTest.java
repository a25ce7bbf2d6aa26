package io.lockstep.bench.variant;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.variant.EventOperations.Operation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is printed of events, and the file that they come in. */
class VariantReportTest {
  private static final Operation WRITE = new Operation("Put", "t", true, false, 34, 2);
  private static final Operation READ = new Operation("Get", "t", false, true, 29, 7);
  private static final EventOperations KNOWN =
      new EventOperations("ls-ucast", List.of(WRITE, READ), 0);

  @TempDir private Path directory;

  @Test
  void eventsThatAskedTheSameAreShownOnceBesideThePaper() {
    EventOperations contended = new EventOperations("ls-ucast", List.of(WRITE, READ), 2);
    EventOperations only = new EventOperations("ls-ucast", List.of(WRITE), 0);
    List<String> lines = VariantReport.lines(List.of(only, KNOWN, contended), Variant.INIT);
    assertThat(lines).hasSize(8);
    assertThat(lines.get(0)).isEqualTo("ls-ucast init: 2 events, 1 operations each, 2 conflicts");
    assertThat(lines.get(2)).matches(" +W +Put +t +34 +2 +W +113 +1 +\\S.*");
    assertThat(lines.get(3)).matches(" +R +Get cached +t +29 +7 +R +36 +77 +\\S.*");
    assertThat(lines.get(7)).as("what the paper has beyond").matches(" +- +R +36 +77 +\\S.*");
  }

  @Test
  void ownHasNoColumnInThePaper() {
    assertThat(VariantReport.lines(List.of(KNOWN), Variant.OWN)).hasSize(4);
  }

  @Test
  void aFileGivesWholeLinesOnly() throws Exception {
    TraceFile file = new TraceFile(directory.resolve("events"));
    assertThat(file.read()).isEmpty();
    file.appending().accept(KNOWN);
    Files.writeString(file.path(), "{\"workload\":", StandardOpenOption.APPEND);
    assertThat(file.read()).containsExactly(KNOWN);
  }
}
