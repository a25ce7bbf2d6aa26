package io.lockstep.core.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lockstep.core.probe.CapacitySearch.Found;
import io.lockstep.core.probe.CapacitySearch.Level;
import io.lockstep.core.probe.CapacitySearch.Trial;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The search for a capacity, and what it does about answers that are wrong. */
class CapacitySearchTest {
  private static final int MOST = 64;

  private static Level spillingBeyond(int capacity) {
    return rules -> new Trial(rules <= capacity ? Location.HARDWARE : Location.SOFTWARE, -1);
  }

  private static Found search(Level level) throws ProbeException {
    return CapacitySearch.search(level, Location.HARDWARE, MOST);
  }

  @Test
  void searchEndsAtTheNumberForEveryCapacity() throws ProbeException {
    for (int capacity = 1; capacity <= MOST + 6; capacity++) {
      Found found = search(spillingBeyond(capacity));
      assertThat(found.rules()).isEqualTo(Math.min(capacity, MOST));
      assertThat(found.bounded()).isEqualTo(capacity < MOST);
    }
  }

  @Test
  void refusalIsBelievedAndCounted() throws ProbeException {
    for (int capacity = 1; capacity < MOST; capacity++) {
      int fits = capacity;
      int[] refused = {0};
      Found found =
          search(
              rules -> {
                if (rules <= fits) {
                  return new Trial(Location.HARDWARE, -1);
                }
                refused[0]++;
                return new Trial(Location.REFUSED, fits);
              });
      assertThat(found).isEqualTo(new Found(fits, Location.REFUSED, true));
      assertThat(refused[0]).as("capacity %d is counted once", fits).isEqualTo(1);
    }
  }

  /** What a switch takes before it refuses need not all be in hardware. */
  @Test
  void rulesInSoftwareBeforeARefusalAreNotCountedAsHardware() throws ProbeException {
    for (int capacity = 1; capacity < 40; capacity++) {
      int fits = capacity;
      Found found =
          search(
              rules ->
                  rules > 40 ? new Trial(Location.REFUSED, 40) : spillingBeyond(fits).at(rules));
      assertThat(found).isEqualTo(new Found(fits, Location.SOFTWARE, true));
    }
  }

  @Test
  void oneWrongAnswerAnywhereChangesNothing() throws ProbeException {
    for (int capacity = 1; capacity <= MOST + 6; capacity++) {
      for (int wrong = 1; wrong <= 30; wrong++) {
        int[] asked = {0};
        int wrongAt = wrong;
        Level honest = spillingBeyond(capacity);
        Found found =
            search(rules -> asked[0]++ == wrongAt ? lie(honest.at(rules)) : honest.at(rules));
        assertThat(found.rules())
            .as("capacity %d, answer %d wrong", capacity, wrong)
            .isEqualTo(Math.min(capacity, MOST));
      }
    }
  }

  private static Trial lie(Trial truth) {
    return new Trial(
        truth.location() == Location.HARDWARE ? Location.SOFTWARE : Location.HARDWARE, -1);
  }

  /** One answer in a hundred wrong, at random. */
  @Test
  void rareWrongAnswersChangeNothingInThousandsOfSearches() throws ProbeException {
    for (long seed = 1; seed <= 5000; seed++) {
      Random random = new Random(seed);
      int capacity = 1 + random.nextInt(MOST - 1);
      Level honest = spillingBeyond(capacity);
      Found found =
          search(rules -> random.nextInt(100) == 0 ? lie(honest.at(rules)) : honest.at(rules));
      assertThat(found.rules()).as("seed %d", seed).isEqualTo(capacity);
    }
  }

  @Test
  void answersAtRandomEndTheSearchWithinItsBound() {
    int said = 0;
    for (long seed = 1; seed <= 1000; seed++) {
      Random random = new Random(seed);
      int[] asked = {0};
      try {
        search(
            rules -> {
              asked[0]++;
              return new Trial(random.nextBoolean() ? Location.HARDWARE : Location.SOFTWARE, -1);
            });
      } catch (ProbeException e) {
        assertThat(e).hasMessageContaining("answers differently from one time to the next");
        said++;
      }
      assertThat(asked[0]).as("seed %d", seed).isLessThanOrEqualTo(5 * (7 + 6 + 4));
    }
    assertThat(said).isGreaterThan(500);
  }

  @Test
  void whatDiffersIsNamed() {
    int[] asked = {0};
    assertThatExceptionOfType(ProbeException.class)
        .isThrownBy(
            () ->
                search(
                    rules ->
                        new Trial(
                            asked[0]++ % 3 == 1 || rules == 1
                                ? Location.SOFTWARE
                                : Location.HARDWARE,
                            -1)))
        .withMessageEndingWith("rule 4 was found in software, then in hardware")
        .satisfies(e -> assertThat(e.wasInterrupted()).isFalse());
  }
}
