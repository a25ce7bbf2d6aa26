package io.lockstep.store.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.codec.CodecException;
import io.lockstep.store.machine.ReplacedMachines.RefusedChangeException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplacedMachinesTest {
  private static ReplacedMachines one() throws RefusedChangeException {
    return ReplacedMachines.NONE.replace(3, 2, "10.0.0.9", 7100, 300);
  }

  @Test
  void replacedMachineHasAHigherIncarnationAndItsAddress() throws Exception {
    ReplacedMachines once = one();
    assertThat(once.of(2)).isEqualTo(new ReplacedMachine(2, 300, "10.0.0.9", 7100, false));
    assertThat(once.incarnation(0)).isZero();
    ReplacedMachines twice = once.arrived(2, 300).replace(3, 0, "h", 1, 1);
    assertThat(twice.rows()).extracting(ReplacedMachine::replica).containsExactly(0, 2);
    assertThat(twice.arrived(0, 1).replace(3, 2, "h", 1, 2).incarnation(2)).isEqualTo(302);
  }

  @Test
  void nextChangeWaitsForTheNewcomerUnlessItIsReplacedItself() throws Exception {
    assertThatThrownBy(() -> one().replace(3, 0, "h", 1, 1))
        .isInstanceOf(RefusedChangeException.class)
        .hasMessageContaining("replica 2 is being replaced by 10.0.0.9:7100");
    assertThat(one().replace(3, 2, "h", 1, 1).incarnation(2)).isEqualTo(301);
  }

  @Test
  void whatCannotBeReplacedIsRefused() {
    assertThatThrownBy(() -> ReplacedMachines.NONE.replace(1, 0, "h", 1, 1))
        .hasMessageContaining("a store of one replica");
    assertThatThrownBy(() -> ReplacedMachines.NONE.replace(3, 3, "h", 1, 1))
        .hasMessageContaining("there is no replica 3");
  }

  @Test
  void arrivalIsThatOfTheMachineNamed() throws Exception {
    assertThat(one().arrived(2, 299)).isEqualTo(one());
    assertThat(one().arrived(0, 300)).isEqualTo(one());
    assertThat(one().arrived(2, 300).sameMachines(one())).isTrue();
    assertThat(one().sameMachines(ReplacedMachines.NONE)).isFalse();
  }

  @Test
  void listFollowsOnlyOneThatItIsMadeOf() throws Exception {
    ReplacedMachines once = one();
    ReplacedMachines there = once.arrived(2, 300);
    ReplacedMachines next = there.replace(3, 0, "h", 1, 1);
    assertThat(once.misfit(ReplacedMachines.NONE)).isNull();
    assertThat(there.misfit(once)).isNull();
    assertThat(once.replace(3, 2, "h", 1, 1).misfit(once)).isNull();
    assertThat(next.misfit(there)).isNull();
    assertThat(next.misfit(next)).isNull();

    assertThat(ReplacedMachines.NONE.misfit(once)).contains("replica 2 does not go back");
    assertThat(once.misfit(once.replace(3, 2, "h", 1, 1))).contains("does not go back");
    assertThat(once.misfit(there)).contains("incarnation 300 of replica 2 stays");
    ReplacedMachine moved = new ReplacedMachine(2, 300, "elsewhere", 7100, true);
    assertThat(new ReplacedMachines(List.of(moved)).misfit(once)).contains("stays");
    assertThat(there.misfit(ReplacedMachines.NONE)).contains("has not taken part yet");
    ReplacedMachine second = new ReplacedMachine(1, 5, "h", 1, false);
    assertThat(new ReplacedMachines(List.of(second, once.rows().get(0))).misfit(once))
        .contains("one machine is replaced at a time");
  }

  @Test
  void valueLooksLikeThisAndComesBackAsItWas() throws Exception {
    Bytes value = one().encode();
    assertThat(HexFormat.of().formatHex(value.toArray()))
        .isEqualTo("0101" + "02" + "0000012c" + "08" + "31302e302e302e39" + "1bbc" + "00");
    assertThat(ReplacedMachines.decode(value)).isEqualTo(one());
    assertThat(ReplacedMachines.decode(ReplacedMachines.NONE.encode()))
        .isEqualTo(ReplacedMachines.NONE);
  }

  @Test
  void everyCutAndEveryOtherVersionIsNoList() throws Exception {
    byte[] whole = one().encode().toArray();
    for (int length = 0; length < whole.length; length++) {
      Bytes cut = Bytes.wrap(Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> ReplacedMachines.decode(cut)).isInstanceOf(CodecException.class);
    }
    whole[0] = 2;
    assertThatThrownBy(() -> ReplacedMachines.decode(Bytes.wrap(whole)))
        .isInstanceOf(CodecException.class);
  }
}
