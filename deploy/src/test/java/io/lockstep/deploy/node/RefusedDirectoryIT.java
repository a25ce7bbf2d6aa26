package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.NodeProcess;
import io.lockstep.deploy.testbed.ThreeReplicas;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.log.disk.LogVerifier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A replica's process does not start on a directory that is damaged, of a newer format or an old
 * copy, says why and what to do, and changes nothing that is damaged or newer; after the remedy the
 * others refill it.
 */
@Timeout(180)
class RefusedDirectoryIT {
  private static final String TABLE = "test.kept";
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final int ENTRIES = 300;

  /** Of the file's version, and of the promise's second copy. */
  private static final int VERSION_AT = 8;

  private static final int SECOND_PROMISE_AT = 4096;

  @TempDir private Path directory;

  /** Damages a file's bytes. */
  private interface Change {
    void apply(ByteBuffer bytes);
  }

  @Test
  void refusedReplicaSaysWhatToDoAndIsRefilledByTheOthers() throws Exception {
    try (ThreeReplicas three = ThreeReplicas.start(directory)) {
      List<NodeProcess> replicas = three.all();
      put(three, 0, ENTRIES / 2);
      replicas.get(2).stop();
      put(three, ENTRIES / 2, ENTRIES);

      Path data = directory.resolve("data").resolve("s3");
      assertThat(LogVerifier.verify(data).lastInstance()).isPositive();
      Path oldCopy = copy(data);
      refusesWhatIsNewer(data);
      refusesWhatIsDamaged(data);

      Files.move(data, directory.resolve("moved-away"));
      replicas.get(2).start();
      awaitRefilled(replicas.get(2));
      // From here on no answer comes without the refilled one.
      replicas.get(1).kill();
      replicas.get(0).await("it goes on with the refilled one", NodeReport::quorum);
      allIsThere(three);
      replicas.get(2).stop();
      assertThat(LogVerifier.verify(data).good()).isTrue();
      refusesAnOldCopy(data, oldCopy);
    }
  }

  /** The third replica's. */
  private Path configuration() {
    return directory.resolve("s3.yaml");
  }

  /** A replica's process is ready before it takes part. */
  private static void awaitRefilled(NodeProcess replica) {
    Await.until(
        replica.id() + " takes part for the second time",
        DEADLINE,
        () ->
            replica.logLines().stream().filter(line -> line.contains("takes part from")).count()
                == 2,
        replica::lastLines);
  }

  private void refusesWhatIsNewer(Path data) throws Exception {
    for (Path file : List.of(segment(data), data.resolve("promise"))) {
      byte[] before = Files.readAllBytes(file);
      CommandRun run = refused(data, file, bytes -> bytes.putInt(VERSION_AT, 99));
      assertThat(run.err())
          .contains("store.directory: " + file + " has format version 99")
          .contains("use the version that wrote it, or a newer one");
      Files.write(file, before);
    }
  }

  /** Leaves the segment damaged. */
  private void refusesWhatIsDamaged(Path data) throws Exception {
    Path promise = data.resolve("promise");
    byte[] before = Files.readAllBytes(promise);
    CommandRun promiseRun =
        refused(
            data,
            promise,
            bytes -> {
              flip(bytes, VERSION_AT + 20);
              flip(bytes, SECOND_PROMISE_AT + VERSION_AT + 20);
            });
    assertThat(promiseRun.err())
        .contains("store.directory: " + promise + " at offset 0: both copies are damaged")
        .contains("Move the directory away and start this replica again");
    Files.write(promise, before);

    Path segment = segment(data);
    CommandRun segmentRun = refused(data, segment, bytes -> flip(bytes, written(bytes) / 2));
    assertThat(segmentRun.err())
        .contains("store.directory: " + segment + " at offset ")
        .contains("Move the directory away and start this replica again")
        .contains("it is filled anew once all other replicas answer");
  }

  private Path copy(Path data) throws IOException {
    Path copy = Files.createDirectories(directory.resolve("copy"));
    try (Stream<Path> files = Files.list(data)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    return copy;
  }

  /** Of the directory as it was before the replica last ran; a peer knows. */
  private void refusesAnOldCopy(Path data, Path copy) throws Exception {
    Files.move(data, directory.resolve("newer"));
    Files.move(copy, data);
    CommandRun run =
        CommandRun.lockstep(DEADLINE, "replica", "--config", configuration().toString());
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.NEEDS_PERSON);
    assertThat(run.err())
        .contains(
            data + " is an old copy of this replica's directory", "and replica 0 knows of a start")
        .contains("Move the directory away and start this replica again");
  }

  /** Starts the replica on a changed file; it ends at once and leaves all files as they are. */
  private CommandRun refused(Path data, Path file, Change change) throws Exception {
    byte[] bytes = Files.readAllBytes(file);
    change.apply(ByteBuffer.wrap(bytes));
    Files.write(file, bytes);
    Map<String, String> before = contents(data);
    CommandRun run =
        CommandRun.lockstep(DEADLINE, "replica", "--config", configuration().toString());
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.NEEDS_PERSON);
    assertThat(run.err()).doesNotContain("Exception");
    assertThat(run.lastLine())
        .startsWith("lockstep: store.directory: ")
        .endsWith("(exit code 12: it needs a person)");
    assertThat(contents(data)).isEqualTo(before);
    return run;
  }

  private static Path segment(Path data) throws IOException {
    try (Stream<Path> files = Files.list(data)) {
      List<Path> segments =
          files.filter(file -> String.valueOf(file.getFileName()).startsWith("log-")).toList();
      assertThat(segments).hasSize(1);
      return segments.get(0);
    }
  }

  private static void flip(ByteBuffer bytes, int at) {
    bytes.put(at, (byte) (bytes.get(at) ^ 0x40));
  }

  /** Where the zeros begin that a segment is filled with. */
  private static int written(ByteBuffer bytes) {
    int end = bytes.limit();
    while (end > 0 && bytes.get(end - 1) == 0) {
      end--;
    }
    return end;
  }

  /** Length and checksum of each file, by name. */
  private static Map<String, String> contents(Path data) throws Exception {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(data)) {
      for (Path file : files.toList()) {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
        contents.put(
            String.valueOf(file.getFileName()),
            Files.size(file) + " " + HexFormat.of().formatHex(digest));
      }
    }
    return contents;
  }

  private static Bytes key(int number) {
    return Bytes.utf8("key " + number);
  }

  private static Bytes value(int number) {
    return Bytes.utf8(number + " " + "value ".repeat(20));
  }

  private static void put(ThreeReplicas three, int from, int to) throws Exception {
    List<Command> puts = new ArrayList<>();
    for (int number = from; number < to; number++) {
      puts.add(new Command.Put(TABLE, key(number), value(number)));
    }
    assertThat(ask(three, puts)).hasSize(to - from).hasOnlyElementsOfType(Reply.Applied.class);
  }

  private static void allIsThere(ThreeReplicas three) throws Exception {
    List<Command> gets = new ArrayList<>();
    for (int number = 0; number < ENTRIES; number++) {
      gets.add(new Command.Get(TABLE, key(number)));
    }
    assertThat(ask(three, gets))
        .extracting(reply -> reply instanceof Reply.Found found ? found.value() : reply)
        .isEqualTo(IntStream.range(0, ENTRIES).mapToObj(RefusedDirectoryIT::value).toList());
  }

  private static List<Reply> ask(ThreeReplicas three, List<Command> commands) throws Exception {
    try (BatchingStoreClient client = three.client(77, TABLE)) {
      List<CompletableFuture<Reply>> asked = commands.stream().map(client::submit).toList();
      List<Reply> replies = new ArrayList<>();
      for (CompletableFuture<Reply> one : asked) {
        replies.add(one.get(DEADLINE.toSeconds(), TimeUnit.SECONDS));
      }
      return replies;
    }
  }
}
