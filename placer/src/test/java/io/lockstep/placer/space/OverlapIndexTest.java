package io.lockstep.placer.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OverlapIndexTest {
  private record Item(TernaryMatch match, int number) implements HasMatch {}

  private static final List<HeaderField> FIELDS =
      List.of(
          HeaderField.IN_PORT,
          HeaderField.ETH_TYPE,
          HeaderField.IP_PROTO,
          HeaderField.IPV4_SRC,
          HeaderField.IPV4_DST,
          HeaderField.L4_DST,
          HeaderField.IPV6_DST_HIGH);

  private static TernaryMatch random(Random random) {
    TernaryMatch match = TernaryMatch.any();
    for (HeaderField field : FIELDS) {
      long value = random.nextBoolean() ? random.nextLong() : -random.nextLong(4);
      switch (random.nextInt(6)) {
        case 0 -> match = match.with(field, value & field.full());
        case 1 -> match = match.withPrefix(field, value, random.nextInt(field.widthBits() + 1));
        case 2 -> match = match.withPrefix(field, value, 1 + random.nextInt(3));
        case 3 ->
            match = random.nextInt(4) == 0 ? match.with(field, value, value & field.full()) : match;
        default -> {}
      }
    }
    return random.nextInt(20) == 0 ? match.withOpaque("x") : match;
  }

  @Test
  void findsWhatAWalkOverAllFinds() {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      OverlapIndex<Item> index = new OverlapIndex<>();
      List<Item> all = new ArrayList<>();
      for (int i = 0; i < 800; i++) {
        if (!all.isEmpty() && random.nextInt(3) == 0) {
          index.remove(all.remove(random.nextInt(all.size())));
        } else {
          Item item = new Item(random(random), i);
          all.add(item);
          index.add(item);
        }
      }
      assertThat(index.size()).isEqualTo(all.size());
      for (int i = 0; i < 200; i++) {
        TernaryMatch match = random(random);
        List<Item> found = new ArrayList<>();
        index.forEachOverlapping(match, found::add);
        assertThat(found)
            .containsExactlyInAnyOrderElementsOf(
                all.stream().filter(item -> item.match().overlaps(match)).toList());
      }
    }
  }

  @Test
  void stopsWhenTheVisitorHasSeenEnough() {
    OverlapIndex<Item> index = new OverlapIndex<>();
    for (int i = 0; i < 100; i++) {
      index.add(new Item(TernaryMatch.any().with(HeaderField.IPV4_DST, i), i));
    }
    int[] seen = {0};
    assertThat(index.forEachOverlapping(TernaryMatch.any(), item -> ++seen[0] < 7)).isFalse();
    assertThat(seen[0]).isEqualTo(7);
  }

  @Test
  void doesNotRemoveWhatIsNotIn() {
    OverlapIndex<Item> index = new OverlapIndex<>();
    Item item = new Item(TernaryMatch.any(), 1);
    assertThatThrownBy(() -> index.remove(item)).isInstanceOf(IllegalStateException.class);
  }
}
