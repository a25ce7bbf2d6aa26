package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Reply;
import io.lockstep.store.core.OperationRecords.RecordMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Against a sorted map, with ids that follow each other, lie far apart, or share chains. */
class RecordMapTest {
  private static final int SPAN = Limits.UNACKNOWLEDGED_OPERATIONS;

  private final RecordMap map = new RecordMap();
  private final TreeMap<Long, Reply> model = new TreeMap<>();
  private long below;

  private void put(long id) {
    Reply reply = new Reply.Applied(id);
    map.put(id, reply);
    model.put(id, reply);
  }

  private void removeBelow(long to) {
    List<Reply> removed = new ArrayList<>();
    map.removeBelow(below, to, removed::add);
    Map<Long, Reply> gone = model.headMap(to);
    removed.sort(Comparator.comparingLong(reply -> ((Reply.Applied) reply).version()));
    assertThat(removed).isEqualTo(List.copyOf(gone.values()));
    gone.clear();
    below = to;
  }

  private void check() {
    assertThat(map.size()).isEqualTo(model.size());
    assertThat(map.sortedIds())
        .containsExactly(model.keySet().stream().mapToLong(Long::longValue).toArray());
    assertThat(model.entrySet()).allMatch(one -> one.getValue().equals(map.get(one.getKey())));
    assertThat(LongStream.range(below, below + 300))
        .allMatch(id -> Objects.equals(map.get(id), model.get(id)));
  }

  @Test
  void holdsWhatASortedMapHolds() {
    Set<Integer> lengths = new HashSet<>();
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      int stride = 1 << random.nextInt(9);
      int width = 1 + random.nextInt(seed % 4 == 0 ? SPAN / stride : 100);
      for (int step = 0; step < 60; step++) {
        for (int i = random.nextInt(200); i > 0; i--) {
          put(below + (long) random.nextInt(width) * stride);
        }
        check();
        removeBelow(below + random.nextInt(random.nextInt(4) == 0 ? SPAN : 2 * width));
        check();
        lengths.add(map.chains());
      }
    }
    assertThat(lengths).as("it grew and shrank").hasSizeGreaterThan(4);
  }

  @Test
  void whatItTakesFollowsFromHowManyThereAreNotFromTheirSpan() {
    put(0);
    put(SPAN - 1);
    assertThat(map.chains()).isLessThanOrEqualTo(RecordMap.KEPT_CHAINS);
    for (long id = 1; id < SPAN - 1; id++) {
      put(id);
    }
    assertThat(map.chains()).isEqualTo(SPAN);
    removeBelow(SPAN - 1);
    assertThat(map.chains()).isLessThanOrEqualTo(RecordMap.KEPT_CHAINS);
    check();
  }
}
