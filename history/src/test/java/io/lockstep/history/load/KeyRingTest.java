package io.lockstep.history.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyRingTest {
  private final Random random = new Random(1);
  private final LineBudget lines = new LineBudget(1_000);

  private KeyRing.Slot take(KeyRing ring) {
    return Objects.requireNonNull(ring.take(random));
  }

  @Test
  void noKeyGetsMoreThanItsShare() {
    KeyRing ring = new KeyRing(3, 2, 10_000, lines);
    Map<KeyRing.Slot, Integer> taken = new HashMap<>();
    for (int i = 0; i < 50_000; i++) {
      taken.merge(take(ring), 1, Integer::sum);
    }
    assertThat(taken.values()).allMatch(count -> count < KeyRing.MAX_OPERATIONS);
    assertThat(ring.all()).containsAll(taken.keySet()).hasSizeBetween(26, 32);
  }

  @Test
  void aReplacedKeyIsOfTheSameTable() {
    KeyRing ring = new KeyRing(1, 1, 2, lines);
    for (int i = 0; i < 40; i++) {
      take(ring);
    }
    assertThat(ring.all().stream().map(KeyRing.Slot::key)).doesNotHaveDuplicates();
    assertThat(ring.all().stream().filter(KeyRing.Slot::counter)).hasSizeBetween(5, 17);
  }

  @Test
  void aKeyWithManyOperationsWithoutAnAnswerIsReplaced() {
    KeyRing ring = new KeyRing(1, 0, 10_000, lines);
    KeyRing.Slot first = take(ring);
    for (int i = 0; i < KeyRing.MAX_UNANSWERED; i++) {
      assertThat(take(ring)).isSameAs(first);
      ring.unanswered(first);
    }
    assertThat(take(ring)).isNotSameAs(first);
    assertThat(ring.all()).hasSize(2);
  }
}
