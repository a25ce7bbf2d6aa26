package io.lockstep.store.core;

import static io.lockstep.store.core.ColumnsTest.isRejected;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;
import io.lockstep.store.TableSpec;
import io.lockstep.store.machine.ReplacedMachines;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The list of replaced machines is in force as it is in the state, and nothing else can be there.
 */
class MachineRowsTest {
  private final Replica replica = new Replica();
  private final long session = replica.open(600_000);

  private Reply run(Command command) {
    return replica.run(session, command);
  }

  private static Command put(Bytes value) {
    return new Command.Put(ReplacedMachines.TABLE, ReplacedMachines.KEY, value);
  }

  @Test
  void whatIsNoListIsRefusedAndTheListStaysInForce() throws Exception {
    replica.declare(ReplacedMachines.TABLE);
    ReplacedMachines list = ReplacedMachines.NONE.replace(3, 2, "10.0.0.9", 7100, 300);
    assertThat(run(put(list.encode()))).isInstanceOf(Reply.Applied.class);
    byte[] cut = list.encode().toArray();
    cut[0]++;
    for (Command wrong :
        List.of(
            put(Bytes.empty()),
            put(Bytes.wrap(cut)),
            new Command.Batch(List.of(), List.of(put(Bytes.utf8("x")))),
            new Command.Increment(ReplacedMachines.TABLE, Bytes.utf8("counter"), 1))) {
      Reply reply = run(wrong);
      assertThat(reply instanceof Reply.BatchRefused batch ? batch.reply() : reply)
          .matches(
              refused -> isRejected(refused, Reason.OUT_OF_BOUNDS, "is a list of machines: "),
              wrong + " is refused");
    }
    assertThat(replica.machine.machines()).isEqualTo(list);
  }

  /** Whoever may write to the store: no list makes a replaced machine count again. */
  @Test
  void listThatMustNotFollowThePresentOneIsRefused() throws Exception {
    replica.declare(ReplacedMachines.TABLE);
    ReplacedMachines first = ReplacedMachines.NONE.replace(3, 2, "10.0.0.9", 7100, 300);
    ReplacedMachines second = first.replace(3, 2, "10.0.0.8", 7100, 1);
    assertThat(run(put(first.encode()))).isInstanceOf(Reply.Applied.class);
    assertThat(run(put(second.encode()))).isInstanceOf(Reply.Applied.class);
    for (Command wrong :
        List.of(
            put(first.encode()),
            put(ReplacedMachines.NONE.encode()),
            new Command.Batch(List.of(), List.of(put(first.encode()))))) {
      Reply reply = run(wrong);
      assertThat(reply instanceof Reply.BatchRefused batch ? batch.reply() : reply)
          .matches(
              refused -> isRejected(refused, Reason.OUT_OF_BOUNDS, "does not go back"),
              wrong + " is refused");
    }
    assertThat(run(new Command.Remove(ReplacedMachines.TABLE, ReplacedMachines.KEY)))
        .matches(reply -> isRejected(reply, Reason.OUT_OF_BOUNDS, "is never removed"));
    assertThat(
            run(
                new Command.Replace(
                    ReplacedMachines.TABLE, ReplacedMachines.KEY, 1, first.encode())))
        .as("a writer that is late learns so")
        .isInstanceOf(Reply.Conflict.class);
    assertThat(replica.machine.machines()).isEqualTo(second);
  }

  @Test
  void tableIsOneOfValues() {
    assertThat(run(new Command.CreateTable(ReplacedMachines.TABLE, TableSpec.columns())))
        .matches(
            reply ->
                isRejected(reply, Reason.OUT_OF_BOUNDS, "\"cluster.machines\" is one of values"));
  }
}
