package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.machine.ReplacedMachine;
import io.lockstep.store.machine.ReplacedMachines;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** docs/adr/0044: which two machines link, by what each of them knows. */
class MachineViewTest {
  private static final ReplacedMachines CHANGED =
      new ReplacedMachines(List.of(new ReplacedMachine(2, 7, "new", 7100, false)));

  private final AtomicBoolean remembers = new AtomicBoolean(true);

  private MachineView view(int id, int incarnation) {
    List<Member> members =
        List.of(
            new Member(0, "a", 7100, "n1"),
            new Member(1, "b", 7100, "n2"),
            new Member(2, id == 2 && incarnation > 0 ? "new" : "c", 7100, "n3", incarnation));
    return new MachineView(ReplicaConfig.of("test", id, members), remembers::get);
  }

  private MachineView knowing(int id, int incarnation) {
    MachineView view = view(id, incarnation);
    view.install(CHANGED);
    return view;
  }

  @Test
  void firstMachinesLinkAsEver() {
    assertThat(view(0, 0).refusal(2, 0, 0)).isNull();
    assertThat(view(0, 0).allKnown()).isEmpty();
  }

  @Test
  void replacedMachineIsRefusedForEverByWhoKnows() {
    MachineView view = knowing(0, 0);
    assertThat(view.refusal(2, 0, 0)).contains("has been replaced by incarnation 7");
    assertThat(view.refusal(2, 7, 0)).isNull();
    assertThat(view.allKnown()).containsExactly(0, 0, 7);
  }

  @Test
  void newcomerWaitsForWhoDoesNotKnowYet() {
    assertThat(view(0, 0).refusal(2, 7, 0)).contains("this replica knows of 0");
    remembers.set(false);
    assertThat(view(2, 7).refusal(0, 0, 0)).contains("does not know yet");
    assertThat(view(2, 7).refusal(0, 0, 7)).isNull();
  }

  @Test
  void replacedMachineLearnsItFromItsStateOrFromAPeer() {
    assertThat(view(2, 0).ownRefusal(ReplacedMachines.NONE)).isEmpty();
    assertThat(view(2, 0).ownRefusal(CHANGED).orElseThrow())
        .contains("new:7100 has taken its place")
        .contains("incarnation: 7");
    assertThat(view(2, 0).superseded(7)).contains("as another replica says");
    assertThat(view(2, 7).superseded(7)).isNull();
    assertThat(view(2, 0).refusal(0, 0, 7)).contains("it knows that replica 2 has been replaced");
  }

  @Test
  void directoryOfTheMachineBeforeIsNoNewcomer() {
    assertThat(view(2, 7).ownRefusal(ReplacedMachines.NONE).orElseThrow())
        .contains("starts with an empty directory");
    remembers.set(false);
    assertThat(view(2, 7).ownRefusal(ReplacedMachines.NONE)).isEmpty();
    assertThat(view(2, 7).ownRefusal(CHANGED)).isEmpty();
  }

  @Test
  void emptyReplicaTakesTheNewestThatAnybodyNames() {
    remembers.set(false);
    MachineView view = view(0, 0);
    assertThat(view.refusal(2, 0, 0)).isNull();
    view.heard(2, 7);
    assertThat(view.refusal(2, 0, 0)).isNotNull();
    assertThat(view.refusal(2, 7, 0)).isNull();
    // What it only heard does not bind it once it remembers.
    remembers.set(true);
    assertThat(view.refusal(2, 0, 0)).isNull();
  }

  @Test
  void addressIsThatOfTheNewerOfStateAndFile() {
    assertThat(view(0, 0).address(2).host()).isEqualTo("c");
    assertThat(knowing(0, 0).address(2)).isEqualTo(new Member(2, "new", 7100, "n3", 7));
    Member file = new Member(2, "newest", 7200, "n3", 8);
    assertThat(MachineView.address(file, CHANGED)).isEqualTo(file);
  }

  @Test
  void peerWithoutALinkIsNotHeardUntilItHasOne() {
    MachineView view = view(0, 0);
    view.deafen(2);
    assertThat(view.deafTo(2)).isTrue();
    assertThat(view.deafTo(-1)).isFalse();
    view.linkChanged(2);
    assertThat(view.deafTo(2)).isFalse();
  }
}
