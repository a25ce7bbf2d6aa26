package io.lockstep.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.variant.RecordedTrace;
import io.lockstep.bench.variant.Variant;
import io.lockstep.bench.variant.VariantNode.TracedApplication;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages of the committed traces, and files that are none. */
class RecordedMessagesTest {
  private static final Path TRACE =
      RecordedTrace.committed(Path.of(".."), TracedApplication.LOAD_BALANCER, Variant.VERS);

  /** Of the format: magic, version. */
  private static final int VERSION_AT = 8;

  @TempDir private Path directory;

  private Path written(byte[] bytes) throws Exception {
    return Files.write(directory.resolve("some.trace"), bytes);
  }

  @Test
  void eventsHaveTheTypesOfThePaper() throws Exception {
    List<List<Message>> events = RecordedMessages.read(TRACE, "lb-vip");
    assertThat(events).hasSizeGreaterThan(30);
    for (List<Message> event : events) {
      assertThat(event.stream().map(Message::isWrite)).containsExactly(false, false, true, false);
      assertThat(event).allMatch(message -> message.requestBytes() > 10);
    }
  }

  @Test
  void otherWorkloadIsRefusedWithThoseThatAreThere() {
    assertThatThrownBy(() -> RecordedMessages.read(TRACE, "dm-known"))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("dm-known")
        .hasMessageContaining("lb-arp, lb-vip");
  }

  @Test
  void cutTraceIsRefusedWhereverItIsCut() throws Exception {
    byte[] whole = Files.readAllBytes(TRACE);
    for (int length = 0; length < whole.length; length += 97) {
      Path file = written(Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> RecordedMessages.read(file, "lb-vip"))
          .as("%d bytes", length)
          .isInstanceOf(BenchException.class)
          .hasMessageContaining("some.trace");
    }
  }

  @Test
  void newerTraceAndForeignFileAreRefused() throws Exception {
    byte[] newer = Files.readAllBytes(TRACE);
    newer[VERSION_AT + 1] = 9;
    for (byte[] bytes :
        List.of(newer, "a,b,c\n1,2,3\n".getBytes(StandardCharsets.UTF_8), new byte[0])) {
      Path file = written(bytes);
      assertThatThrownBy(() -> RecordedMessages.read(file, "lb-vip"))
          .isInstanceOf(BenchException.class)
          .hasMessageContaining("some.trace");
    }
    assertThatThrownBy(() -> RecordedMessages.read(directory.resolve("none"), "lb-vip"))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("none");
  }
}
