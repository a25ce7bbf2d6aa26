package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InboundBudgetTest {
  private final InboundBudget budget = new InboundBudget(100);
  private final List<String> cut = new ArrayList<>();

  private InboundBudget.Share open(String name) {
    return budget.opened(reason -> cut.add(name));
  }

  @Test
  void connectionWhoseMessageIsUnfinishedForLongestIsCut() {
    InboundBudget.Share stuck = open("stuck");
    InboundBudget.Share busy = open("busy");
    InboundBudget.Share large = open("large");
    stuck.read(1, 20, 2);
    busy.read(1, 30, 1);
    busy.read(7, 30, 3);
    large.read(1, 50, 4);
    assertThat(cut).isEmpty();
    assertThat(budget.bytes()).isEqualTo(100);
    large.read(1, 51, 5);
    assertThat(cut).as("the busy one completes messages").containsExactly("stuck");
    stuck.close();
    assertThat(budget.bytes()).isEqualTo(81);
  }

  @Test
  void whatWasReadWholeTakesNoRoom() {
    InboundBudget.Share one = open("one");
    for (int i = 1; i <= 1_000; i++) {
      one.read(i - 1, 90, i);
      one.read(i, 0, i);
    }
    one.read(1_000, 90, 1_001);
    one.close();
    one.close();
    assertThat(budget.bytes()).isZero();
    assertThat(cut).isEmpty();
  }

  @Test
  void messageThatBecomesShorterCutsNobody() {
    InboundBudget.Share one = open("one");
    InboundBudget.Share two = open("two");
    one.read(0, 60, 1);
    two.read(0, 60, 2);
    assertThat(cut).containsExactly("one");
    one.read(0, 61, 3);
    two.read(0, 70, 4);
    assertThat(cut).as("who is cut off leaves room").hasSize(1);
    two.read(1, 50, 5);
    open("three").read(0, 51, 6);
    assertThat(cut).containsExactly("one", "two");
  }
}
