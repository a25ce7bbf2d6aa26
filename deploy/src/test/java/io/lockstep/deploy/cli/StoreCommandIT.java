package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.config.ConfiguredStore;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.ClusterProcesses;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.NodeProcess;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.TableDef;
import io.lockstep.store.typed.TypedTable;
import io.lockstep.store.typed.Versioned;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a cluster keeps on its disks: through the death of all nodes, a backup, and a restore. */
@Timeout(240)
class StoreCommandIT {
  private static final TableDef<String, String> TABLE =
      TableDef.of("test.kept", Codec.utf8(), Codec.utf8());
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @Test
  void whatWasAcknowledgedSurvivesTheDeathOfAllAndComesBackFromABackup() throws Exception {
    Path backup = directory.resolve("backup");
    try (ClusterProcesses cluster = ClusterProcesses.prepare(directory, List.of(), "")) {
      cluster.startAll();
      cluster.awaitReady();
      long version = put(cluster, "early", "kept");

      cluster.nodes().forEach(node -> node.process().destroyForcibly());
      cluster.nodes().forEach(NodeProcess::kill);
      cluster.startAll();
      cluster.awaitReady();
      assertThat(get(cluster, "early")).contains(new Versioned<>("kept", version));

      for (int node = 0; node < 3; node++) {
        CommandRun verified = store("verify", "--data", data(node).toString());
        assertThat(verified.exitCode()).as(verified.out() + verified.err()).isZero();
        assertThat(verified.out()).contains("replica " + node + " of cluster test", "good");
      }
      CommandRun saved = store("backup", "--config", config(cluster, 0), "--out", "" + backup);
      assertThat(saved.exitCode()).as(saved.err()).isZero();
      put(cluster, "late", "after the backup");
      cluster.nodes().forEach(NodeProcess::stop);

      assertThat(restore(cluster, backup, 0).err()).contains("is not empty", "move it away");
      restoreAnew(cluster, backup, 0);
      restoreAnew(cluster, backup, 1);
      twoThatWereRestoredAreRefusedBesideOneThatWasNot(cluster);
      // All three: the two may have heard of the third's later start, and keep that.
      for (int node = 0; node < 3; node++) {
        restoreAnew(cluster, backup, node);
      }
      cluster.startAll();
      cluster.awaitReady();
      assertThat(get(cluster, "early")).isPresent();
      assertThat(get(cluster, "late")).isEmpty();
    }
    refusesWhatIsNotItsOwn(backup);
  }

  private void restoreAnew(ClusterProcesses cluster, Path backup, int node) throws Exception {
    Path old = directory.resolve("old-" + node);
    Files.move(data(node), Files.exists(old) ? directory.resolve("second-" + node) : old);
    CommandRun restored = restore(cluster, backup, node);
    assertThat(restored.exitCode()).as(restored.err()).isZero();
  }

  /** The third knows of later starts of theirs, and has what was acknowledged after the backup. */
  private static void twoThatWereRestoredAreRefusedBesideOneThatWasNot(ClusterProcesses cluster)
      throws Exception {
    cluster.startAll();
    for (NodeProcess restored : cluster.nodes().subList(0, 2)) {
      assertThat(restored.process().waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS))
          .as(restored.lastLines())
          .isTrue();
      assertThat(restored.process().exitValue()).isEqualTo(ExitCode.NEEDS_PERSON);
      assertThat(restored.lastLines()).contains("is an old copy of this replica's directory");
    }
    cluster.nodes().get(2).stop();
  }

  private void refusesWhatIsNotItsOwn(Path backup) throws Exception {
    Path other = directory.resolve("other");
    Files.createDirectories(other);
    try (ClusterProcesses cluster =
        ClusterProcesses.prepare(other, List.of(), "store: {directory: ../data/n1}\n")) {
      // n1 finds its own directory there; n2 finds that of n1.
      CommandRun started = CommandRun.lockstep(DEADLINE, "node", "--config", config(cluster, 1));
      assertThat(started.exitCode()).isEqualTo(ExitCode.NEEDS_PERSON);
      assertThat(started.err() + started.out())
          .contains("store.directory", "belongs to replica 0, not to replica 1");
    }
    Path copied = directory.resolve("damaged-backup");
    Files.copy(backup, copied);
    flipByte(copied);
    CommandRun damaged =
        store("restore", "--in", "" + copied, "--config", directory.resolve("n1.yaml").toString());
    assertThat(damaged.exitCode()).isEqualTo(ExitCode.FAILED);
    flipByte(largestFile(directory.resolve("old-0")));
    CommandRun verified = store("verify", "--data", directory.resolve("old-0").toString());
    assertThat(verified.exitCode()).as(verified.out()).isEqualTo(ExitCode.FAILED);
    assertThat(verified.out()).contains("DAMAGED: ");
    CommandRun nothing = store("verify", "--data", directory.resolve("nowhere").toString());
    assertThat(nothing.err()).contains("is not a directory", "name the data directory");
  }

  private static CommandRun store(String... arguments) throws Exception {
    List<String> line = new ArrayList<>(List.of("store"));
    line.addAll(List.of(arguments));
    return CommandRun.lockstep(DEADLINE, line.toArray(String[]::new));
  }

  private static CommandRun restore(ClusterProcesses cluster, Path backup, int node)
      throws Exception {
    return store("restore", "--in", backup.toString(), "--config", config(cluster, node));
  }

  private static String config(ClusterProcesses cluster, int node) {
    return cluster.plan().configFile(node).toString();
  }

  private Path data(int node) {
    return directory.resolve("data").resolve("n" + (node + 1));
  }

  private static <T> T ask(
      ClusterProcesses cluster, Function<TypedTable<String, String>, CompletableFuture<T>> question)
      throws Exception {
    try (Store store = ConfiguredStore.open(cluster.plan().configFile(0), 77, TABLE)) {
      return question.apply(store.table(TABLE)).get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private static long put(ClusterProcesses cluster, String key, String value) throws Exception {
    return ask(cluster, table -> table.put(key, value)).throwWhenUnknown().orThrow();
  }

  private static Optional<Versioned<String>> get(ClusterProcesses cluster, String key)
      throws Exception {
    return ask(cluster, table -> table.get(key)).orThrow();
  }

  private static Path largestFile(Path data) throws IOException {
    try (Stream<Path> files = Files.list(data)) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).startsWith("log-"))
          .max((one, two) -> Long.compare(one.toFile().length(), two.toFile().length()))
          .orElseThrow();
    }
  }

  /** Well inside of what was written: near the beginning, behind any header. */
  private static void flipByte(Path file) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      long position = Math.min(bytes.length() / 2, 4000);
      bytes.seek(position);
      int old = bytes.read();
      bytes.seek(position);
      bytes.write(old ^ 0x40);
    }
  }
}
