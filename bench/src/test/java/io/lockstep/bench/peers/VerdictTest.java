package io.lockstep.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTest {

  private static ComparePoint point(
      String store, String variant, int round, int flows, double perSecond, double p50Millis) {
    return new ComparePoint(
        store, "ls-ucast", variant, false, round, flows, perSecond, p50Millis, 2, 3, 4, 0);
  }

  private static ComparePoint durable(String store, int flows, double perSecond, double p50Millis) {
    return new ComparePoint(
        store, "ls-ucast", "micro", true, 1, flows, perSecond, p50Millis, 2, 3, 4, 0);
  }

  private static List<String> lines(ComparePoint... points) {
    return new Verdict(List.of(points)).lines();
  }

  @Test
  void theTableSaysWhatIsMetByTheMediansOfTheRounds() {
    assertThat(
            lines(
                point("lockstep", "micro", 1, 64, 30_000, 1.0),
                point("lockstep", "micro", 2, 64, 50_000, 1.0),
                point("jraft", "micro", 1, 64, 10_000, 1.0),
                point("atomix", "micro", 1, 64, 10_000, 1.0),
                point("lockstep", "micro", 1, 1, 1000, 1.3),
                point("jraft", "micro", 1, 1, 1000, 2.0),
                point("etcd", "micro", 1, 1, 1000, 1.0)))
        .satisfiesExactly(
            jraft -> assertThat(jraft).contains("ratio   4.00", "at least 3.0: met"),
            atomix -> assertThat(atomix).contains("ratio   4.00", "at least 6.0: NOT MET"),
            latency -> assertThat(latency).contains("etcd", "ratio   1.30", "1.2: NOT MET"));
  }

  @Test
  void theHarderOpponentIsShownWithoutAnExpectation() {
    assertThat(
            lines(
                point("lockstep", "micro", 1, 64, 30_000, 1.0),
                point("jraft", "micro", 1, 64, 10_000, 1.0),
                point("jraft-frames", "micro", 1, 64, 20_000, 1.0),
                point("lockstep", "micro", 1, 1, 1000, 1.0),
                point("jraft", "micro", 1, 1, 1000, 1.0),
                point("jraft-frames", "micro", 1, 1, 1000, 0.5)))
        .satisfiesExactly(
            jraft -> assertThat(jraft).contains("jraft ", "ratio   3.00", "3.0: met"),
            frames ->
                assertThat(frames)
                    .contains("jraft-frames", "ratio   1.50")
                    .doesNotContain("expected"),
            latency -> assertThat(latency).contains("jraft ", "ratio   1.00", "1.2: met"),
            frames ->
                assertThat(frames)
                    .contains("jraft-frames", "ratio   2.00")
                    .doesNotContain("expected"));
  }

  @Test
  void whoDoesNotWaitForTheDiskIsShownThereWithoutAnExpectation() {
    assertThat(
            lines(
                durable("lockstep", 64, 30_000, 1.0),
                durable("atomix", 64, 10_000, 1.0),
                durable("lockstep", 1, 1000, 1.0),
                durable("atomix", 1, 1000, 0.5),
                durable("jraft", 1, 1000, 2.0)))
        .satisfiesExactly(
            many -> assertThat(many).contains("atomix", "ratio   3.00").doesNotContain("expected"),
            one -> assertThat(one).contains("jraft ", "ratio   0.50", "1.2: met"));
  }

  @Test
  void ourVariantsStandBesideInit() {
    assertThat(
            lines(
                point("lockstep", "init", 1, 64, 10_000, 1.0),
                point("lockstep", "micro", 1, 64, 17_000, 1.0),
                point("lockstep", "cache", 1, 64, 900_000, 1.0)))
        .satisfiesExactly(
            micro -> assertThat(micro).contains("micro", "ratio   1.70", "1.8: NOT MET"),
            cache ->
                assertThat(cache).contains("cache", "ratio  90.00").doesNotContain("expected"));
  }
}
