package io.lockstep.core.trace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.trace.TraceRecord.EventBegun;
import io.lockstep.core.trace.TraceRecord.EventEnded;
import io.lockstep.core.trace.TraceRecord.OperationAnswered;
import io.lockstep.core.trace.TraceRecord.RecordsLost;
import io.lockstep.core.trace.TraceRecord.TraceEnded;
import io.lockstep.store.Bytes;
import io.lockstep.store.TableSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written is read again, and what is cut or damaged is never read as something else. */
class TraceFileTest {
  private static final long ROOM = 64 << 20;
  private static final TraceHeader HEADER =
      new TraceHeader(
          "n1",
          "demo",
          "0.1",
          1_700_000_000_000L,
          Map.of("hosts", TableSpec.values(), "pools", TableSpec.references("hosts")));

  @TempDir private Path directory;

  /** What was read of a file, and how that ended. */
  private record Found(List<TraceRecord> records, boolean cut, @Nullable TraceException damage) {}

  private Path file(String name) {
    return directory.resolve(name);
  }

  private Path write(String name, List<TraceRecord> records, int blockOf) throws IOException {
    Path file = file(name);
    try (TraceWriter writer = TraceWriter.create(file, HEADER, ROOM)) {
      for (int i = 0; i < records.size(); i++) {
        assertThat(writer.add(records.get(i))).isTrue();
        if (blockOf > 0 && i % blockOf == blockOf - 1) {
          writer.flush();
        }
      }
      writer.end(end());
    }
    return file;
  }

  private static TraceEnded end() {
    return new TraceEnded("stopped", 99, 3, 4, 0, 1);
  }

  private static List<TraceRecord> withEnd(List<TraceRecord> records) {
    List<TraceRecord> all = new ArrayList<>(records);
    all.add(end());
    return all;
  }

  private static Found read(Path file) throws IOException {
    List<TraceRecord> records = new ArrayList<>();
    try (TraceReader reader = TraceReader.open(file)) {
      for (TraceRecord one = reader.next(); one != null; one = reader.next()) {
        records.add(one);
      }
      return new Found(records, reader.isCut(), null);
    } catch (TraceException damage) {
      return new Found(records, false, damage);
    }
  }

  private Path with(String name, byte[] octets) throws IOException {
    return Files.write(file(name), octets);
  }

  private static List<TraceRecord> random(Random random, int count) {
    List<TraceRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long micros = random.nextLong() >> random.nextInt(64);
      long event = 1 + (random.nextLong() >>> (1 + random.nextInt(63)));
      String word = "word" + random.nextInt(8) + (random.nextInt(8) == 0 ? "\u00e9\u4e16" : "");
      byte[] octets = new byte[random.nextInt(random.nextInt(20) == 0 ? 5_000 : 60)];
      random.nextBytes(octets);
      Bytes bytes = Bytes.wrap(octets);
      records.add(
          switch (random.nextInt(5)) {
            case 0 ->
                new EventBegun(
                    event, word, "packet-in", random.nextLong(), random.nextInt(9) - 1, micros);
            case 1 -> new OperationAnswered(event, "", micros - 7, micros, bytes, bytes);
            case 2 -> new OperationAnswered(0, word, micros, micros, bytes, Bytes.empty());
            case 3 -> new EventEnded(event, word, micros);
            default -> new RecordsLost(random.nextInt(100), micros);
          });
    }
    return records;
  }

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    for (int seed = 1; seed <= 40; seed++) {
      Random random = new Random(seed);
      List<TraceRecord> records = random(random, random.nextInt(600));
      Path file = write("seed-" + seed, records, random.nextInt(50));
      Found found = read(file);
      assertThat(found.damage()).as("seed %d", seed).isNull();
      assertThat(found.records()).as("seed %d", seed).isEqualTo(withEnd(records));
      assertThat(found.cut()).isFalse();
    }
    try (TraceReader reader = TraceReader.open(file("seed-1"))) {
      assertThat(reader.header()).isEqualTo(HEADER);
    }
  }

  /** Nothing but whole blocks is read, at each length, and a cut trace says that it is cut. */
  @Test
  void aTraceThatIsCutAnywhereHasItsWholeBlocks() throws IOException {
    List<TraceRecord> records = random(new Random(7), 30);
    byte[] whole = Files.readAllBytes(write("whole", records, 10));
    Files.delete(file("whole"));
    int least = 0;
    for (int length = 0; length < whole.length; length++) {
      Path cut = with("cut", Arrays.copyOf(whole, length));
      Found found = read(cut);
      int size = found.records().size();
      assertThat(size).as("length %d", length).isIn(0, 10, 20, 30);
      assertThat(size).isGreaterThanOrEqualTo(least);
      assertThat(found.records()).isEqualTo(records.subList(0, size));
      assertThat(found.cut() || found.damage() != null).as("length %d", length).isTrue();
      least = size;
    }
    assertThat(least).isEqualTo(30);
    Found nothing = read(with("cut", Arrays.copyOf(whole, 20)));
    assertThat(nothing.damage()).hasMessageContaining("cut in its header and holds nothing");
  }

  @Test
  void aByteThatIsWrongAnywhereIsFoundAndTheBlocksBeforeAreRead() throws IOException {
    List<TraceRecord> records = random(new Random(11), 30);
    byte[] whole = Files.readAllBytes(write("whole", records, 10));
    for (int at = 0; at < whole.length; at++) {
      for (int bit : new int[] {0x01, 0x80}) {
        byte[] wrong = whole.clone();
        wrong[at] ^= (byte) bit;
        Found found = read(with("wrong", wrong));
        TraceException damage = found.damage();
        assertThat(damage)
            .as("byte %d", at)
            .isNotNull()
            .hasMessageStartingWith(file("wrong") + ": at byte ")
            .hasMessageContaining("; remedy: ");
        assertThat(found.records())
            .as("byte %d", at)
            .isEqualTo(records.subList(0, Math.min(30, found.records().size())))
            .hasSize(found.records().size() / 10 * 10);
      }
    }
  }

  @Test
  void blocksInAnotherOrderAndWhatFollowsTheEndAreFound() throws IOException {
    EventEnded one = new EventEnded(1, "decided", 1);
    byte[] whole = Files.readAllBytes(write("order", List.of(one, one, one), 1));
    assertThat(read(file("order")).records()).hasSize(4);
    ByteBuffer lengths = ByteBuffer.wrap(whole);
    int first = 14 + lengths.getInt(10) + 4;
    int second = first + 16 + lengths.getInt(first);
    int third = second + 16 + lengths.getInt(second);
    int length = third - second;
    byte[] swapped = whole.clone();
    System.arraycopy(whole, second, swapped, third, length);
    System.arraycopy(whole, third, swapped, second, length);
    Found found = read(with("swapped", swapped));
    assertThat(found.records()).containsExactly(one);
    assertThat(found.damage()).hasMessageContaining("at byte " + second + ": the frame of a block");
    assertThat(read(with("more", Arrays.copyOf(whole, whole.length + 1))).damage())
        .hasMessageContaining("more follows where the trace ended");
  }

  @Test
  void whatIsNoTraceSaysSo() throws IOException {
    for (String text : List.of("", "hello", "LSTRACE and more of a text")) {
      assertThatThrownBy(() -> TraceReader.open(with("text", text.getBytes(UTF_8))))
          .isInstanceOf(TraceException.class)
          .hasMessageContaining("this is no trace of Lockstep")
          .hasMessageContaining("remedy: give a file of ./lockstep record");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 300})
  void anotherVersionIsNamed(int version) throws IOException {
    byte[] whole = Files.readAllBytes(write("v1", List.of(), 0));
    whole[8] = (byte) (version >>> 8);
    whole[9] = (byte) version;
    assertThatThrownBy(() -> TraceReader.open(with("other", whole)))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("a trace of version " + version + ", this program reads version 1")
        .hasMessageContaining(version > 1 ? "use the Lockstep that recorded it, or newer" : "copy");
  }

  @Test
  void aFileNeverGrowsBeyondItsLimitAndCanBeEnded() throws IOException {
    byte[] octets = new byte[3_000];
    Random random = new Random(3);
    long limit = 1 << 20;
    int added = 0;
    try (TraceWriter writer = TraceWriter.create(file("full"), HEADER, limit)) {
      do {
        random.nextBytes(octets);
        added++;
      } while (writer.add(new OperationAnswered(1, "", 1, 2, Bytes.copyOf(octets), Bytes.empty())));
      writer.end(new TraceEnded("full", 2, 0, added - 1, 0, 0));
      assertThat(writer.bytes()).isEqualTo(Files.size(file("full"))).isLessThanOrEqualTo(limit);
    }
    assertThat(Files.size(file("full"))).isBetween(limit - (200 << 10), limit);
    assertThat(read(file("full")).records()).hasSize(added);
  }

  @Test
  void aFileThatIsThereIsNotOverwritten() throws IOException {
    Path there = with("there", new byte[] {1});
    assertThatThrownBy(() -> TraceWriter.create(there, HEADER, ROOM))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(Files.size(there)).isEqualTo(1);
  }

  /** So a trace of a busy node stays small. */
  @Test
  void recordsThatResembleEachOtherTakeFewBytes() throws IOException {
    byte[] octets = "learning-switch.in-vlan and forty bytes of argument".getBytes(UTF_8);
    List<TraceRecord> records = new ArrayList<>();
    IntStream.rangeClosed(1, 10_000)
        .forEach(
            event -> {
              long micros = 1_000L * event;
              records.add(
                  new EventBegun(event, "learning-switch", "packet-in", event % 8, 3, micros));
              Bytes request = Bytes.copyOf(octets);
              records.add(
                  new OperationAnswered(event, "", micros, micros + 900, request, Bytes.empty()));
              records.add(new EventEnded(event, "decided", micros + 950));
            });
    assertThat(Files.size(write("small", records, 0)) / 10_000).isLessThan(30);
  }
}
