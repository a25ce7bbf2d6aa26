package io.lockstep.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HeapUseTest {
  private final HeapUse heap = new HeapUse();

  @Test
  void aHeapMayGrowALittle() {
    heap.add(List.of(20L, 21L, 22L));
    heap.add(List.of(90L, 20L, 20L));
    heap.add(List.of(52L, 20L, 20L));
    assertThat(heap.within(91)).isTrue();
    assertThat(heap.largest()).isEqualTo(90);
    assertThat(heap.within(90)).isFalse();
  }

  @Test
  void oneThatGrewByMoreIsNotWithin() {
    heap.add(List.of(20L, 21L, 22L));
    heap.add(List.of(20L, 54L, 22L));
    assertThat(heap.within(1_000)).isFalse();
  }

  @Test
  void withoutALookNothingIsKnown() {
    assertThat(heap.within(1_000)).isFalse();
  }
}
