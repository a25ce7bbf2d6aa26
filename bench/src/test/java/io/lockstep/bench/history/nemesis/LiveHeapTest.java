package io.lockstep.bench.history.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LiveHeapTest {
  @Test
  void theGenerationsAreAdded() {
    String info =
        """
        7041:
         def new generation   total 19648K, used 1024K [0x0, 0x1, 0x2)
          eden space 17472K,   0% used [0x0, 0x1, 0x2)
         tenured generation   total 43712K, used 12345K [0x0, 0x1, 0x2)
           the space 43712K,  28% used [0x0, 0x1, 0x2)
         Metaspace       used 20000K, committed 20480K, reserved 1114112K
        """;
    assertThat(LiveHeap.usedKilobytes(info)).isEqualTo(13_369);
    assertThat(LiveHeap.usedKilobytes("no such process")).isEqualTo(-1);
  }
}
