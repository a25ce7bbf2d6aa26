package io.lockstep.history.mixed.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.mixed.Step;
import io.lockstep.history.mixed.Step.Guard;
import io.lockstep.history.mixed.Step.Op;
import io.lockstep.history.mixed.Step.Range;
import io.lockstep.history.mixed.Step.ReadEntry;
import io.lockstep.history.mixed.Step.Write;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MixedFileTest {
  private static final Step BATCH =
      new Step(
          "m1",
          Op.BATCH,
          List.of(new Guard("leases", "l", 7)),
          List.of(new Write("left", "a", "m1.4"), new Write("right", "a", null)),
          null,
          10,
          20,
          Outcome.OK,
          12L,
          List.of(new ReadEntry("left", "b", null, 0)));
  private static final Step SCAN =
      new Step(
          "m2",
          Op.SCAN,
          List.of(),
          List.of(),
          new Range("left", "", null),
          11,
          21,
          Outcome.UNKNOWN,
          null,
          List.of());

  @TempDir Path directory;

  @Test
  void whatWasWrittenIsRead() throws Exception {
    Path file = directory.resolve("mixed.jsonl");
    try (MixedWriter writer = new MixedWriter(file)) {
      writer.write(BATCH);
      writer.write(SCAN);
    }
    assertThat(MixedReader.read(file)).containsExactly(BATCH, SCAN);
    assertThat(MixedReader.isMixed(file)).isTrue();
    assertThat(Files.readAllLines(file).get(0))
        .isEqualTo(
            "{\"client\":\"m1\",\"op\":\"batch\","
                + "\"guards\":[{\"table\":\"leases\",\"key\":\"l\",\"version\":7}],"
                + "\"writes\":[{\"table\":\"left\",\"key\":\"a\",\"value\":\"m1.4\"},"
                + "{\"table\":\"right\",\"key\":\"a\",\"value\":null}],\"range\":null,"
                + "\"startNanos\":10,\"endNanos\":20,\"outcome\":\"ok\",\"index\":12,"
                + "\"reads\":[{\"table\":\"left\",\"key\":\"b\",\"value\":null,\"version\":0}]}");
  }

  @Test
  void aLineThatCannotBeReadIsNamed() throws Exception {
    Path file = directory.resolve("mixed.jsonl");
    try (MixedWriter writer = new MixedWriter(file)) {
      writer.write(BATCH);
    }
    String line = Files.readAllLines(file).get(0);
    for (String bad :
        List.of(
            line.replace("\"index\":12,", ""),
            line.replace("\"ok\"", "\"fine\""),
            line.replace("\"index\"", "\"place\":1,\"index\""),
            line.replace("\"version\":0", "\"version\":3"),
            line.substring(5))) {
      Files.writeString(file, line + "\n" + bad + "\n");
      assertThatThrownBy(() -> MixedReader.read(file))
          .isInstanceOf(MixedReader.FormatException.class)
          .hasMessageContaining("mixed.jsonl line 2: ");
    }
  }
}
