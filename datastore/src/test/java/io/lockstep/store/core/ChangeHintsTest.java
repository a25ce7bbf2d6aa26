package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.Request;
import io.lockstep.store.engine.SnapshotBytes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who follows tables gets a hint for each batch that changed them, and for no other. */
class ChangeHintsTest {
  private static final int TIME_TO_LIVE_MILLIS = 1_000;

  private final StoreStateMachine machine = new StoreStateMachine(List.of());
  private final List<Long> hints = new ArrayList<>();
  private final long session =
      ((Reply.SessionOpened) ask(0, new Command.OpenSession(7, "owner", TIME_TO_LIVE_MILLIS)))
          .sessionId();
  private long operations;

  private Reply ask(long timeMillis, Command command) {
    Request.Operation operation = new Request.Operation(++operations, command);
    long sender = command instanceof Command.OpenSession ? 0 : session;
    return machine.apply(timeMillis, new Request(sender, 0, List.of(operation))).replies().get(0);
  }

  private static Command put(String table) {
    return new Command.Put(table, Bytes.utf8("k"), Bytes.utf8("v"));
  }

  private void declare(String table) {
    ask(0, new Command.CreateTable(table, TableSpec.values()));
  }

  @Test
  void onlyChangesOfFollowedTablesGiveHints() {
    declare("a");
    declare("b");
    machine.hints().follow(List.of("a", "later"), hints::add);
    ask(0, put("b"));
    ask(0, new Command.Get("a", Bytes.utf8("k")));
    assertThat(hints).isEmpty();
    ask(0, put("a"));
    assertThat(hints).containsExactly(machine.index());
    declare("later");
    ask(0, put("later"));
    assertThat(hints).hasSize(2).last().isEqualTo(machine.index());
  }

  @Test
  void followerThatComesLaterGetsItsHintsAndTakesNone() {
    declare("a");
    declare("b");
    machine.hints().follow(List.of("a"), hints::add);
    ask(0, put("a"));
    List<Long> later = new ArrayList<>();
    machine.hints().follow(List.of("b"), later::add);
    ask(0, put("b"));
    assertThat(later).containsExactly(machine.index());
    ask(0, put("a"));
    assertThat(hints).last().isEqualTo(machine.index());
  }

  @Test
  void eachFollowerHearsOfItsOwnTablesUntilItsEnd() {
    declare("a");
    declare("b");
    List<Long> others = new ArrayList<>();
    machine.hints().follow(List.of("a"), hints::add);
    var following = machine.hints().follow(List.of("b"), others::add);
    ask(0, put("b"));
    assertThat(hints).isEmpty();
    assertThat(others).containsExactly(machine.index());
    following.end();
    following.end();
    ask(0, put("b"));
    assertThat(others).hasSize(1);
    ask(0, put("a"));
    assertThat(hints).containsExactly(machine.index());
  }

  @Test
  void sessionThatExpiresGivesAHint() {
    machine.hints().follow(List.of(StoreState.SESSION_TABLE), hints::add);
    ask(0, new Command.OpenSession(8, "other", TIME_TO_LIVE_MILLIS));
    hints.clear();
    long timeMillis = 0;
    while (machine.sessionAlive(session)) {
      timeMillis += TIME_TO_LIVE_MILLIS / 10;
      assertThat(timeMillis).isLessThan(10 * TIME_TO_LIVE_MILLIS);
      machine.apply(timeMillis, new Request(0, 0, List.of()));
    }
    assertThat(hints).containsExactly(machine.index());
  }

  @Test
  void stateThatIsReplacedGivesAHint() {
    declare("a");
    byte[] empty = SnapshotBytes.of(machine);
    ask(0, put("a"));
    machine.hints().follow(List.of("a"), hints::add);
    SnapshotBytes.restore(machine, empty);
    assertThat(hints).isEmpty();
    ask(0, put("a"));
    byte[] full = SnapshotBytes.of(machine);
    SnapshotBytes.restore(machine, empty);
    SnapshotBytes.restore(machine, full);
    assertThat(hints).hasSize(3).last().isEqualTo(machine.index());
  }

  @Test
  void followerThatFailsIsDroppedAndTheReplicaGoesOn() {
    declare("a");
    List<Long> failed = new ArrayList<>();
    machine
        .hints()
        .follow(
            List.of("a"),
            index -> {
              failed.add(index);
              throw new IllegalStateException("asked to fail");
            });
    machine.hints().follow(List.of("a"), hints::add);
    assertThat(ask(0, put("a"))).isInstanceOf(Reply.Applied.class);
    assertThat(ask(0, put("a"))).isInstanceOf(Reply.Applied.class);
    assertThat(failed).hasSize(1);
    assertThat(hints).hasSize(2);
  }
}
