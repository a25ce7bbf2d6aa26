package io.lockstep.history.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.history.check.Operation;
import io.lockstep.history.check.Operation.Kind;
import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.check.Operation.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryFileTest {
  private static final String GET =
      "{\"client\":1,\"op\":\"get\",\"table\":\"t\",\"key\":\"k\",\"value\":null,"
          + "\"startNanos\":1,\"endNanos\":2,\"outcome\":\"ok\","
          + "\"result\":{\"value\":null,\"version\":0}}";

  @TempDir Path directory;

  private static final List<Operation> OPERATIONS =
      List.of(
          new Operation("1", Kind.GET, "t", "k", null, null, 1, 2, Outcome.OK, new Result(null, 0)),
          new Operation("2", Kind.PUT, "t", "k", "a", null, 3, 4, Outcome.OK, new Result("a", 7)),
          new Operation(
              "2",
              Kind.PUT_IF_ABSENT,
              "t",
              "k",
              "b",
              null,
              5,
              6,
              Outcome.FAILED,
              new Result("a", 7)),
          new Operation("1", Kind.REPLACE, "t", "k", "c", 7L, 5, 9, Outcome.UNKNOWN, null),
          new Operation(
              "1", Kind.REMOVE, "t", "k", null, null, 10, 11, Outcome.OK, new Result(null, 9)),
          new Operation("1", Kind.REMOVE, "t", "k", null, 9L, 12, 13, Outcome.ERROR, null),
          new Operation(
              "3", Kind.INCREMENT, "c", "k", "-2", null, 14, 15, Outcome.OK, new Result("-2", 12)));

  @Test
  void whatIsWrittenIsReadAgain() throws Exception {
    Path file = directory.resolve("history.jsonl");
    try (HistoryWriter writer = new HistoryWriter(file)) {
      OPERATIONS.forEach(writer::write);
      assertThat(writer.lines()).isEqualTo(OPERATIONS.size());
    }
    assertThat(HistoryReader.read(file)).isEqualTo(OPERATIONS);
    assertThat(Files.readAllLines(file))
        .contains(
            GET,
            "{\"client\":1,\"op\":\"replace\",\"table\":\"t\",\"key\":\"k\",\"value\":\"c\","
                + "\"expectedVersion\":7,\"startNanos\":5,\"endNanos\":9,\"outcome\":\"unknown\","
                + "\"result\":null}",
            "{\"client\":3,\"op\":\"increment\",\"table\":\"c\",\"key\":\"k\",\"value\":-2,"
                + "\"startNanos\":14,\"endNanos\":15,\"outcome\":\"ok\","
                + "\"result\":{\"value\":-2,\"version\":12}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"client\":1,                | ``                    | field 'client' is missing",
        "\"op\":\"get\"               | \"op\":\"peek\"       | unknown op 'peek'",
        "\"outcome\":\"ok\"           | \"outcome\":\"maybe\" | unknown outcome 'maybe'",
        "\"outcome\":\"ok\"           | \"outcome\":\"failed\"| GET has no precondition",
        "\"outcome\":\"ok\"           | \"outcome\":\"unknown\"| outcome UNKNOWN with a result",
        "\"endNanos\":2               | \"endNanos\":0        | ends before it starts",
        "\"endNanos\":2               | \"endNanos\":2.5      | is not a 64-bit number",
        "\"startNanos\":1             | \"startNanos\":-1     | is negative",
        "\"value\":null,\"startNanos\"| \"value\":\"x\",\"startNanos\" | GET with a value",
        "\"key\":\"k\"                | \"key\":7             | field 'key' is not a string",
        "\"key\":\"k\"                | \"key\":\"k\",\"key\":\"j\" | not JSON",
        "\"key\":\"k\"                | \"key\":\"k\",\"expectedVersion\":1 | does not belong to op get",
        "{\"value\":null,\"version\":0} | {\"value\":null}    | field 'result' is not",
        "\"version\":0}}              | \"version\":0}        | not JSON",
        "\"version\":0}}              | \"version\":0}} 5     | not JSON",
      })
  void aBadLineIsNamed(String part, String replacement, String message) throws Exception {
    assertThat(GET).contains(part);
    Path file = directory.resolve("bad.jsonl");
    Files.writeString(file, GET + "\n" + GET.replace(part, replacement) + "\n");
    assertThatThrownBy(() -> HistoryReader.read(file))
        .isInstanceOf(HistoryFormatException.class)
        .hasMessageContaining("bad.jsonl line 2: ")
        .hasMessageContaining(message);
  }

  @Test
  void anEmptyLineIsABadLine() throws Exception {
    Path file = directory.resolve("bad.jsonl");
    Files.writeString(file, GET + "\n\n");
    assertThatThrownBy(() -> HistoryReader.read(file)).hasMessageContaining("line 2: empty");
  }
}
