package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Release;
import io.lockstep.store.Reply;
import io.lockstep.store.Transaction;
import io.lockstep.store.engine.Rules;
import io.lockstep.store.engine.SnapshotBytes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two releases give the same answers until a version is in force that only one of them knows. */
class ClusterVersionTest {
  private static final Rules TWO = new Rules(2, 64);
  private static final Rules THREE = new Rules(3, 64);
  private static final Bytes ONE = Bytes.utf8("1");

  /** Answers with its text, so that a test sees which one ran. */
  private record Named(String name, int since, String text) implements MicroComponent {
    @Override
    public Bytes call(Transaction transaction, Bytes argument) {
      transaction.put("t", argument, Bytes.utf8(text));
      return Bytes.utf8(text);
    }
  }

  private final Replica before =
      new Replica(machine(2, new Named("greet", 1, "hello"), new Named("old", 1, "old")));
  private final Replica next =
      new Replica(
          machine(
              3,
              new Named("greet", 3, "good day"),
              new Named("greet", 1, "hello"),
              new Named("old", 1, "old"),
              new Named("part", 3, "bye")));

  private static StoreStateMachine machine(int newest, MicroComponent... components) {
    return new StoreStateMachine(List.of(components), 64, newest);
  }

  private static Reply call(Replica replica, long session, String component) {
    return replica.run(session, new Command.Call(component, ONE));
  }

  @Test
  void bothReleasesAnswerAlikeWhileTheOldVersionIsInForce() {
    long session = 0;
    for (Replica replica : List.of(before, next)) {
      replica.declare("t");
      replica.machine.adopt(TWO);
      session = replica.open(60_000);
    }
    for (String component : List.of("greet", "old", "part", "none")) {
      assertThat(call(next, session, component))
          .as(component)
          .isEqualTo(call(before, session, component));
    }
    assertThat(call(next, session, "greet")).isEqualTo(new Reply.Returned(Bytes.utf8("hello")));
    assertThat(call(before, session, "greet")).isEqualTo(new Reply.Returned(Bytes.utf8("hello")));
    assertThat(SnapshotBytes.of(next.machine)).isEqualTo(SnapshotBytes.of(before.machine));
  }

  @Test
  void refusalNamesTheComponent() {
    next.machine.adopt(TWO);
    assertThat(call(next, next.open(60_000), "part"))
        .isEqualTo(
            new Reply.Rejected(
                Reply.Reason.UNKNOWN_COMPONENT, "no micro component is called part"));
  }

  @Test
  void newComponentsRunFromTheirVersionOn() {
    next.declare("t");
    next.machine.adopt(THREE);
    long session = next.open(60_000);
    assertThat(call(next, session, "greet")).isEqualTo(new Reply.Returned(Bytes.utf8("good day")));
    assertThat(call(next, session, "part")).isEqualTo(new Reply.Returned(Bytes.utf8("bye")));
    assertThat(call(next, session, "old")).isEqualTo(new Reply.Returned(Bytes.utf8("old")));
  }

  @Test
  void releaseBeforeNeverFollowsTheNewVersion() {
    next.machine.adopt(THREE);
    byte[] snapshot = SnapshotBytes.of(next.machine);
    assertThatThrownBy(() -> before.machine.adopt(THREE)).hasMessageContaining("at version 3");
    assertThatThrownBy(() -> SnapshotBytes.restore(before.machine, snapshot))
        .hasMessageContaining("at version 3");
    assertThat(before.machine.rules()).isEqualTo(Rules.FIRST);
  }

  @Test
  void permissionIsAnEntryThatAnyReleaseCarries() {
    for (Replica replica : List.of(before, next)) {
      assertThat(replica.machine.permitted()).isZero();
      replica.declare(Release.TABLE);
      long session = replica.open(60_000);
      assertThat(replica.machine.permitted()).isZero();
      replica.run(session, permit(Counters.bytesOf(3)));
      assertThat(replica.machine.permitted()).isEqualTo(3);
      Replica restored = new Replica();
      SnapshotBytes.restore(restored.machine, SnapshotBytes.of(replica.machine));
      assertThat(restored.machine.permitted()).isEqualTo(3);
      replica.run(session, permit(Bytes.utf8("x")));
      assertThat(replica.machine.permitted()).isZero();
      replica.run(session, permit(Counters.bytesOf(-1)));
      assertThat(replica.machine.permitted()).isZero();
      replica.run(session, permit(Counters.bytesOf(1L << 40)));
      assertThat(replica.machine.permitted()).isZero();
    }
  }

  private static Command permit(Bytes version) {
    return new Command.Put(Release.TABLE, Release.PERMITTED, version);
  }

  @Test
  void oneVersionHasOneComponentOfAName() {
    assertThatThrownBy(() -> machine(3, new Named("part", 3, "a"), new Named("part", 3, "b")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("two micro components are called part from version 3 on");
    assertThatThrownBy(() -> machine(3, new Named("part", 0, "a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("micro component part since version 0");
  }
}
