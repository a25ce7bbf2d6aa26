package io.lockstep.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.demo.screen.Picture.Node;
import io.lockstep.demo.screen.Picture.NodeState;
import io.lockstep.demo.screen.SamplePicture;
import java.util.List;
import org.junit.jupiter.api.Test;

class KillChoiceTest {
  private static final Node DOWN = new Node("n1", NodeState.DOWN, "-", false, List.of());
  private static final Node STARTING = new Node("n1", NodeState.STARTING, "-", false, List.of());

  private static Node up(String id, boolean leader, String... masters) {
    return SamplePicture.node(id, leader, masters);
  }

  @Test
  void theNodeThatMastersMostDies() {
    assertThat(
            KillChoice.among(
                List.of(up("n1", true, "a"), up("n2", false, "b", "c"), up("n3", false))))
        .isEqualTo(new KillChoice(1, ""));
  }

  @Test
  void ofEqualsTheLeaderDiesThenTheFirst() {
    assertThat(
            KillChoice.among(List.of(up("n1", false, "a"), up("n2", true, "b"), up("n3", false))))
        .isEqualTo(new KillChoice(1, ""));
    assertThat(KillChoice.among(List.of(up("n1", false), up("n2", false), up("n3", false))))
        .isEqualTo(new KillChoice(0, ""));
  }

  @Test
  void theMajorityStays() {
    assertThat(KillChoice.among(List.of(DOWN, up("n2", true, "a"), up("n3", false))))
        .isEqualTo(
            new KillChoice(-1, "k not now: n1 is down (r starts it); the store needs 2 of 3"));
    assertThat(KillChoice.among(List.of(STARTING, up("n2", true, "a"), up("n3", false))))
        .isEqualTo(new KillChoice(-1, "k not now: n1 is starting; the store needs 2 of 3"));
    assertThat(KillChoice.among(List.of(up("n1", true))))
        .isEqualTo(new KillChoice(-1, "k not now: no node would be left; the store needs 1 of 1"));
  }

  @Test
  void fiveNodesCanLoseTwo() {
    List<Node> four =
        List.of(DOWN, up("n2", true), up("n3", false), up("n4", false), up("n5", false));
    assertThat(KillChoice.among(four).node()).isEqualTo(1);
    assertThat(KillChoice.among(List.of(DOWN, DOWN, four.get(2), four.get(3), four.get(4))).node())
        .isEqualTo(-1);
  }

  @Test
  void theNodeThatIsDownIsStarted() {
    assertThat(KillChoice.down(SamplePicture.WITHOUT_N1)).isZero();
    assertThat(KillChoice.down(SamplePicture.CALM)).isEqualTo(-1);
  }
}
