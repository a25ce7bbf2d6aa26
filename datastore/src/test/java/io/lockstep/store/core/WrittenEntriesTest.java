package io.lockstep.store.core;

import static io.lockstep.store.core.StoreStateMachineTest.component;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a call wrote, with as many keys as are found one by one, and with more. */
class WrittenEntriesTest {
  private static final int ROUNDS = 3;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 8, 9, 10, 40})
  void keysThatAreWrittenAgainAreOneChangeEach(int keys) {
    Replica replica =
        new Replica(
                component(
                    "it",
                    (transaction, argument) -> {
                      for (int round = 1; round <= ROUNDS; round++) {
                        for (int i = 0; i < keys; i++) {
                          transaction.increment(table(i), Bytes.copyOf((byte) i), round);
                        }
                      }
                      return argument;
                    }))
            .declare("a", "b");
    long session = replica.open(600_000);
    assertThat(replica.run(session, new Command.Call("it", Bytes.empty())))
        .isInstanceOf(Reply.Returned.class);
    long index = replica.machine.index();
    Reply reply =
        replica.run(session, new Command.ReadChanges(List.of("a", "b"), index - 1, 10_000));
    List<Change> expected = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      expected.add(
          new Change(index, table(i), Bytes.copyOf((byte) i), Counters.bytesOf(1 + 2 + 3)));
    }
    assertThat(((Reply.Changes) reply).changes()).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static String table(int i) {
    return i % 2 == 0 ? "a" : "b";
  }
}
