package io.lockstep.core.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How commands are called, and which are reads of the paper. */
class TracedOperationTest {
  private static final Bytes KEY = Bytes.utf8("k");
  private static final Command GET = new Command.Get("a", KEY);
  private static final Command PUT = new Command.Put("b", KEY, KEY);
  private static final Row ROW = Row.of(Map.of("c", KEY));

  static Stream<Arguments> commands() {
    return Stream.of(
        Arguments.of(GET, "get a true true"),
        Arguments.of(PUT, "put b false true"),
        Arguments.of(new Command.PutIfAbsent("b", KEY, KEY), "put-if-absent b false true"),
        Arguments.of(new Command.Scan("b", KEY, null, 1), "scan b true true"),
        Arguments.of(new Command.Increment("b", KEY, 1), "increment b false true"),
        Arguments.of(new Command.GetColumns("c", KEY, List.of()), "get-columns c true true"),
        Arguments.of(new Command.ReplaceColumns("c", KEY, 1, ROW), "replace-columns c false true"),
        Arguments.of(new Command.GetThrough("r", KEY, List.of()), "get-through r true true"),
        Arguments.of(new Command.Call("m.c", KEY), "call m.c false false"),
        Arguments.of(new Command.Query("m.c", KEY), "query m.c true false"),
        Arguments.of(
            new Command.ReadChanges(List.of("z", "a"), 0, 1), "read-changes a+z true false"),
        Arguments.of(
            new Command.ReadChanges(List.of("a", "b", "c", "d"), 0, 1),
            "read-changes 4 tables true false"),
        Arguments.of(new Command.Batch(List.of(), List.of(GET, GET)), "batch a true false"),
        Arguments.of(
            new Command.Batch(List.of(new Command.Guard("g", KEY, 0)), List.of(GET, PUT)),
            "batch a+b+g false false"),
        Arguments.of(new Command.KeepAlive(), "keep-alive - false false"));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void commandsHaveATypeATargetAndAnAccess(Command command, String expected) {
    TracedOperation operation = new TracedOperation("", 0, 1, command, null, 1, 0);
    assertThat(
            operation.type()
                + " "
                + operation.target()
                + " "
                + operation.isRead()
                + " "
                + (operation.key() != null))
        .isEqualTo(expected);
    assertThat(operation.replyType()).isEqualTo("-");
  }

  static Stream<Arguments> replies() {
    return Stream.of(
        Arguments.of(new Reply.BatchRefused(1, new Reply.Absent()), "batch-refused"),
        Arguments.of(new Reply.Rejected(Reply.Reason.NO_ROOM, "full"), "rejected no_room"));
  }

  @ParameterizedTest
  @MethodSource("replies")
  void repliesHaveAType(Reply reply, String expected) {
    assertThat(new TracedOperation("", 0, 1, GET, reply, 1, 1).replyType()).isEqualTo(expected);
  }
}
