package io.lockstep.bench.variant;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events in a file that one workload does not fill. */
class TraceFileTest {
  @TempDir private Path directory;

  @Test
  void aFrequentWorkloadLeavesRoomForOthers() throws Exception {
    TraceFile file = new TraceFile(directory.resolve("trace"));
    assertThat(file.read()).isEmpty();
    EventOperations frequent = new EventOperations("ls-ucast", List.of(), 0);
    EventOperations seldom = new EventOperations("ls-bcast", List.of(), 1);
    Consumer<EventOperations> events = file.appending();
    for (int i = 0; i < TraceFile.MOST_OF_A_WORKLOAD + 1; i++) {
      events.accept(frequent);
    }
    events.accept(seldom);
    assertThat(file.read()).hasSize(TraceFile.MOST_OF_A_WORKLOAD + 1).endsWith(seldom);
  }
}
