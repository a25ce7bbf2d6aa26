package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The ring holds the newest changes, and no more places than they need. */
class ChangeHistoryTest {
  private static final HistoryBounds BOUNDS = new HistoryBounds(256, 100_000, 100_000);

  private final ChangeHistory.Total total = new ChangeHistory.Total();
  private final ChangeHistory history = new ChangeHistory(BOUNDS, total, 0);
  private long index;

  private Change next(int bytes) {
    Change change = new Change(++index, "t", Bytes.utf8("k"), Bytes.wrap(new byte[bytes]));
    history.add(change);
    return change;
  }

  private List<Change> all() {
    return IntStream.range(0, history.size()).mapToObj(history::get).toList();
  }

  @Test
  void placesAreGivenBackWhereTheChangesOfOtherTablesTakeTheRoom() {
    for (int i = 0; i < 300; i++) {
      next(1);
    }
    assertThat(history.size()).isEqualTo(256);
    assertThat(history.places()).isEqualTo(256);
    while (history.size() > 3) {
      history.dropOldest();
    }
    assertThat(history.places()).isEqualTo(16);
    assertThat(all()).extracting(Change::index).containsExactly(298L, 299L, 300L);
  }

  @Property(tries = 50)
  void holdsTheNewestChangesInOrder(@ForAll long seed) {
    Random random = new Random(seed);
    ArrayDeque<Change> expected = new ArrayDeque<>();
    for (int step = 0; step < 3_000; step++) {
      if (random.nextInt(1 + step / 500) == 0) {
        expected.add(next(random.nextInt(900)));
      } else if (history.size() > 0) {
        history.dropOldest();
      }
      while (expected.size() > history.size()) {
        expected.remove();
      }
    }
    assertThat(all()).containsExactlyElementsOf(expected);
    assertThat(total.bytes()).isEqualTo(history.bytes());
    assertThat(history.bytes())
        .isEqualTo(expected.stream().mapToLong(ChangeHistory::bytesOf).sum());
  }
}
