package io.lockstep.bench.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.figures.FigureRow.OperationSize;
import io.lockstep.bench.figures.FigureRow.Point;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FiguresFileTest {
  private static final Point POINT = point(21_500.25, "a cache with \"quotes\", and a\nline's end");

  private static final OperationSize OPERATION =
      new OperationSize(
          "Table I",
          "ls-ucast",
          "own",
          2,
          "read the destination",
          "R",
          36,
          77,
          null,
          null,
          null,
          null,
          "");

  @TempDir private Path directory;

  private static Point point(double value, String reason) {
    return new Point(
        "Table II",
        "ls-ucast",
        "cache",
        "messages",
        true,
        "best",
        64,
        "flowsPerSecond",
        value,
        null,
        null,
        "flows/s",
        null,
        null,
        reason);
  }

  private Path file() {
    return directory.resolve("further/figures.json");
  }

  @Test
  void rowsComeBackAsTheyWereAndEachHasALine() throws Exception {
    FiguresFile.write(file(), List.of(POINT, OPERATION));
    assertThat(FiguresFile.read(file())).containsExactly(POINT, OPERATION);
    assertThat(Files.readAllLines(file())).hasSize(4);
    try (var files = Files.list(directory.resolve("further"))) {
      assertThat(files).containsExactly(file());
    }
    FiguresFile.write(file(), List.of());
    assertThat(FiguresFile.read(file())).isEmpty();
  }

  @Test
  void fieldsHaveTheirNamesInOrderAndNullIsWritten() throws Exception {
    FiguresFile.write(file(), List.of(POINT, OPERATION));
    JsonNode rows = new ObjectMapper().readTree(file().toFile());
    assertThat(rows.get(0).fieldNames())
        .toIterable()
        .containsExactly(
            ("kind figure workload variant mode durable case flows metric value low high unit paper"
                    + " ratio reason")
                .split(" "));
    assertThat(rows.get(1).fieldNames())
        .toIterable()
        .containsExactly(
            ("kind figure workload variant step operation type requestBytes replyBytes"
                    + " wireRequestBytes wireReplyBytes paperRequestBytes paperReplyBytes reason")
                .split(" "));
    assertThat(rows.get(0).get("kind").asText()).isEqualTo("point");
    assertThat(rows.get(0).get("case").asText()).isEqualTo("best");
    assertThat(rows.get(0).get("paper").isNull()).isTrue();
    assertThat(rows.get(1).get("kind").asText()).isEqualTo("operation");
    assertThat(rows.get(1).get("wireReplyBytes").isNull()).isTrue();
  }

  @Test
  void aFileThatIsCutOffAnywhereIsRefusedByName() throws Exception {
    FiguresFile.write(file(), List.of(POINT, OPERATION));
    String whole = Files.readString(file()).strip();
    for (int length = 0; length < whole.length(); length++) {
      assertRefused(whole.substring(0, length));
    }
  }

  @Test
  void aForeignFileIsRefusedByName() throws Exception {
    FiguresFile.write(file(), List.of(POINT));
    String whole = Files.readString(file());
    assertRefused("{\"benchmark\": \"store\", \"points\": []}");
    assertRefused("[{\"figure\": \"2\", \"profile\": \"2920\", \"x\": 0, \"value\": 0.0}]");
    assertRefused("[null]");
    assertRefused("null");
    assertRefused(whole.replace("\"point\"", "\"line\""));
    assertRefused(whole.replace("\"flows\":64,", ""));
    assertRefused(whole.replace("\"flows\":64", "\"flows\":\"many\""));
    assertRefused(whole.replace("\"flows\":64", "\"further\":1,\"flows\":64"));
    assertRefused(whole + whole);
  }

  private void assertRefused(String text) throws IOException {
    Files.writeString(file(), text);
    assertThatThrownBy(() -> FiguresFile.read(file()))
        .as("%s", text)
        .isInstanceOf(BenchException.class)
        .hasMessageContaining(file().toString())
        .hasMessageContaining("move figures.json away");
  }

  @Test
  void aMissingFileAndADirectoryInTheWayAreNamed() throws Exception {
    assertThatThrownBy(() -> FiguresFile.read(file()))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining(file().toString());
    Files.createDirectories(file().resolve("inside"));
    assertThatThrownBy(() -> FiguresFile.write(file(), List.of(POINT)))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining(file().toString());
  }

  @Test
  void aValueForWhichJsonHasNoNumberIsRefusedAndTheFileStays() throws Exception {
    FiguresFile.write(file(), List.of(POINT));
    Point infinite = point(Double.POSITIVE_INFINITY, "");
    assertThatThrownBy(() -> FiguresFile.write(file(), List.of(infinite)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(FiguresFile.read(file())).containsExactly(POINT);
  }

  /** A directory in the way: the rows are written, and cannot take their place. */
  @Test
  void whatCannotBeWrittenLeavesNoPartBehind() throws Exception {
    Files.createDirectories(file().resolve("in-the-way"));
    assertThatThrownBy(() -> FiguresFile.write(file(), List.of(POINT)))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("figures.json");
    assertThat(directory.resolve("further/figures.json.part")).doesNotExist();
  }
}
