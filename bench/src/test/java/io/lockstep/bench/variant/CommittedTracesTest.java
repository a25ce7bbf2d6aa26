package io.lockstep.bench.variant;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.bench.variant.VariantNode.TracedApplication;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The traces of bench/traces against tables I and II of the paper. They are of version 1 of the
 * format: whoever changes the format must still read them, or raise its version.
 */
class CommittedTracesTest {
  private static final long MOST_BYTES = 64 << 10;

  /** Surefire's working directory is the module's. */
  private static final Path ROOT = Path.of("..");

  static List<Arguments> all() {
    List<Arguments> all = new ArrayList<>();
    for (TracedApplication application : TracedApplication.values()) {
      for (Variant variant : Variant.values()) {
        all.add(Arguments.of(application, variant));
      }
    }
    return all;
  }

  private static RecordedTrace trace(TracedApplication application, Variant variant)
      throws Exception {
    return RecordedTrace.read(
        RecordedTrace.committed(ROOT, application, variant), Integer.MAX_VALUE);
  }

  @ParameterizedTest
  @MethodSource("all")
  void eventsAskedInNumberTypeAndOrderWhatThePapersDid(
      TracedApplication application, Variant variant) throws Exception {
    assertThat(Files.size(RecordedTrace.committed(ROOT, application, variant)))
        .isLessThan(MOST_BYTES);
    RecordedTrace trace = trace(application, variant);
    assertThat(trace.header().node()).isEqualTo("n1");
    assertThat(trace.header().tables()).isNotEmpty();
    PaperComparison.assertAsInThePaper(trace, application, variant, 10);
  }

  /** Four connections at once make several events replace the pool that they all have read. */
  @Test
  void attemptsThatWereRefusedAreRecognised() throws Exception {
    List<WorkloadEvent> contended =
        trace(TracedApplication.LOAD_BALANCER, Variant.VERS).of("lb-vip").stream()
            .filter(event -> event.conflicts() > 0)
            .toList();
    assertThat(contended)
        .isNotEmpty()
        .allSatisfy(
            event ->
                assertThat(event.event().operations())
                    .hasSize(event.operations().size() + 2 * event.conflicts()));
  }
}
