package io.lockstep.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VerdictTest {

  private static ComparePoint point(
      String store, String variant, int round, int flows, double perSecond, double p50Millis) {
    return new ComparePoint(
        store, "ls-ucast", variant, false, round, flows, perSecond, p50Millis, 2, 3, 4, 0);
  }

  /** In three rounds, which differ by a tenth; the second is as given. */
  private static List<ComparePoint> rounds(
      String store, String variant, boolean durable, int flows, double perSecond, double millis) {
    return IntStream.rangeClosed(1, 3)
        .mapToObj(
            round -> {
              double factor = 0.8 + round / 10.0;
              return new ComparePoint(
                  store,
                  "ls-ucast",
                  variant,
                  durable,
                  round,
                  flows,
                  perSecond * factor,
                  millis * factor,
                  2,
                  3,
                  4,
                  0);
            })
        .toList();
  }

  private static List<ComparePoint> many(String store, double perSecond) {
    return rounds(store, "micro", false, 64, perSecond, 1.0);
  }

  private static List<ComparePoint> one(String store, double millis) {
    return rounds(store, "micro", false, 1, 1000, millis);
  }

  private static List<String> lines(List<List<ComparePoint>> points) {
    return new Verdict(points.stream().flatMap(List::stream).toList()).lines();
  }

  @Test
  void theTableSaysWhatIsMetByTheMediansOfTheRounds() {
    assertThat(
            lines(
                List.of(
                    many("lockstep", 40_000),
                    many("jraft", 10_000),
                    many("atomix", 10_000),
                    one("lockstep", 1.3),
                    one("jraft", 2.0),
                    one("etcd", 1.0))))
        .satisfiesExactly(
            jraft -> assertThat(jraft).contains("ratio   4.00", "at least 3.0: met"),
            atomix -> assertThat(atomix).contains("ratio   4.00", "at least 6.0: NOT MET"),
            latency -> assertThat(latency).contains("etcd", "ratio   1.30", "1.2: NOT MET"));
  }

  @Test
  void behindTheRatioOfTheMediansStandThoseOfSingleRounds() {
    assertThat(
            lines(
                List.of(
                    List.of(
                        point("lockstep", "micro", 1, 64, 30_000, 1.0),
                        point("lockstep", "micro", 2, 64, 50_000, 1.0),
                        point("lockstep", "micro", 3, 64, 20_000, 1.0),
                        point("lockstep", "micro", 4, 64, 90_000, 1.0),
                        point("jraft", "micro", 1, 64, 10_000, 1.0),
                        point("jraft", "micro", 2, 64, 10_000, 1.0),
                        point("jraft", "micro", 3, 64, 10_000, 1.0)))))
        .singleElement()
        .asString()
        .contains("ratio   4.00 (2.00 to 5.00, 3 rounds)", "at least 3.0: met");
  }

  @Test
  void fewerThanThreeRoundsGiveNoVerdict() {
    assertThat(
            lines(
                List.of(
                    List.of(
                        point("lockstep", "micro", 1, 64, 30_000, 1.0),
                        point("lockstep", "micro", 2, 64, 30_000, 1.0),
                        point("jraft", "micro", 1, 64, 10_000, 1.0),
                        point("jraft", "micro", 3, 64, 10_000, 1.0)))))
        .singleElement()
        .asString()
        .contains("1 round)", "at least 3.0: no verdict from fewer than 3 rounds");
  }

  @Test
  void theHarderOpponentIsShownWithoutAnExpectation() {
    assertThat(
            lines(
                List.of(
                    many("lockstep", 30_000),
                    many("jraft", 10_000),
                    many("jraft-frames", 20_000),
                    one("lockstep", 1.0),
                    one("jraft", 1.0),
                    one("jraft-frames", 0.5))))
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
                List.of(
                    rounds("lockstep", "micro", true, 64, 30_000, 1.0),
                    rounds("atomix", "micro", true, 64, 10_000, 1.0),
                    rounds("lockstep", "micro", true, 1, 1000, 1.0),
                    rounds("atomix", "micro", true, 1, 1000, 0.5),
                    rounds("jraft", "micro", true, 1, 1000, 2.0))))
        .satisfiesExactly(
            many -> assertThat(many).contains("atomix", "ratio   3.00").doesNotContain("expected"),
            one -> assertThat(one).contains("jraft ", "ratio   0.50", "1.2: met"));
  }

  @Test
  void ourVariantsStandBesideInit() {
    assertThat(
            lines(
                List.of(
                    rounds("lockstep", "init", false, 64, 10_000, 1.0),
                    rounds("lockstep", "micro", false, 64, 17_000, 1.0),
                    rounds("lockstep", "cache", false, 64, 900_000, 1.0))))
        .satisfiesExactly(
            micro -> assertThat(micro).contains("micro", "ratio   1.70", "1.8: NOT MET"),
            cache ->
                assertThat(cache).contains("cache", "ratio  90.00").doesNotContain("expected"));
  }
}
