package io.lockstep.store.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every ordered operation counts for one cause, and their number is bounded. */
class OperationCausesTest {

  /** Says the cause that its argument names; without one it fails. */
  private static final class Named implements MicroComponent {
    @Override
    public String name() {
      return "named";
    }

    @Override
    public String cause(Bytes argument) {
      if (argument.length() == 0) {
        throw new IllegalArgumentException("asked to fail");
      }
      return argument.toUtf8();
    }

    @Override
    public Bytes call(Transaction transaction, Bytes argument) {
      return argument;
    }
  }

  private final StoreStateMachine machine = new StoreStateMachine(List.of(new Named()));
  private long operations;
  private final long session =
      ((Reply.SessionOpened) ask(0, new Command.OpenSession(7, "owner", 60_000))).sessionId();

  private Reply ask(long sender, Command command) {
    Request.Operation operation = new Request.Operation(++operations, command);
    return machine.apply(0, new Request(sender, 0, List.of(operation))).replies().get(0);
  }

  private void ask(Command command) {
    Reply unused = ask(session, command);
  }

  @Test
  void eachKindHasItsCause() {
    ask(new Command.CreateTable("t", TableSpec.values()));
    ask(new Command.Put("t", Bytes.utf8("k"), Bytes.utf8("v")));
    ask(new Command.Get("t", Bytes.utf8("k")));
    ask(new Command.ReadChanges(List.of("t"), 0, 1));
    ask(new Command.KeepAlive());
    machine.apply(0, new Request(session, 0, List.of()));
    ask(new Command.Call("named", Bytes.utf8("ports")));
    ask(new Command.Query("named", Bytes.empty()));
    ask(new Command.Call("named", Bytes.utf8("No name")));
    ask(new Command.Call("unknown", Bytes.empty()));
    ask(new Command.Batch(List.of(), List.of(new Command.Get("t", Bytes.utf8("k")))));
    machine.apply(1, 0, List.of(new byte[] {1}));
    assertThat(machine.operations())
        .isEqualTo(
            Map.of(
                "session", 1L, "t", 3L, "feed", 1L, "lease", 2L, "ports", 1L, "named", 2L, "batch",
                1L, "other", 2L));
  }

  @Test
  void copiesCountAndTheSumIsThatOfAllOperations() {
    List<Request.Operation> both = new ArrayList<>();
    both.add(new Request.Operation(1, new Command.CreateTable("t", TableSpec.values())));
    both.add(new Request.Operation(2, new Command.Put("t", Bytes.utf8("k"), Bytes.utf8("v"))));
    for (int copy = 0; copy < 3; copy++) {
      machine.apply(0, new Request(session, 0, both));
    }
    assertThat(machine.operations()).containsEntry("t", 6L);
    assertThat(machine.operations().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(1 + 6);
  }

  @Test
  void clientThatInventsNamesFillsNoMemory() {
    for (int i = 0; i < 2 * OperationCauses.MOST; i++) {
      ask(new Command.Get("t" + i, Bytes.utf8("k")));
    }
    assertThat(machine.operations()).hasSize(OperationCauses.MOST + 1);
    assertThat(machine.operations().get("other")).isGreaterThan(OperationCauses.MOST - 5L);
  }
}
