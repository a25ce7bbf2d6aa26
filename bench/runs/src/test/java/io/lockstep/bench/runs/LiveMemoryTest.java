package io.lockstep.bench.runs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LiveMemoryTest {
  @Test
  void generationsOfTheSerialCollectorAreAddedUp() {
    String jdk17 =
        """
        4711:
         def new generation   total 116160K, used 659K [0x1, 0x2, 0x3)
          eden space 103296K,  20% used [0x1, 0x2, 0x3)
         tenured generation   total 258048K, used 41K [0x1, 0x2, 0x3)
           the space 258048K,   0% used [0x1, 0x2, 0x3, 0x4)
         Metaspace       used 8936K, committed 9088K, reserved 1114112K
          class space    used 1062K, committed 1152K, reserved 1048576K
        """;
    String jdk25 =
        """
        4711:
        DefNew     total 116160K, used 659K [0x1, 0x2, 0x3)
         eden space 103296K,  30% used [0x1, 0x2, 0x3)
        Tenured    total 258048K, used 41K [0x1, 0x2, 0x3)
        """;
    assertThat(LiveMemory.usedKilobytes(jdk17)).isEqualTo(700);
    assertThat(LiveMemory.usedKilobytes(jdk25)).isEqualTo(700);
  }

  @Test
  void heapOfG1IsOne() {
    assertThat(LiveMemory.usedKilobytes(" garbage-first heap   total 397312K, used 17946K [0x1)\n"))
        .isEqualTo(17_946);
    assertThat(
            LiveMemory.usedKilobytes(
                "garbage-first heap   total reserved 6172672K, committed 393216K, used 116K [0x1)"))
        .isEqualTo(116);
  }

  @Test
  void otherTextTellsNothing() {
    assertThat(LiveMemory.usedKilobytes("4711:\nnot a heap")).isEqualTo(-1);
  }
}
