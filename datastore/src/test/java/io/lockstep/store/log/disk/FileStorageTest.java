package io.lockstep.store.log.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.SyncFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whether a sync reaches the kernel. No kill of a process shows that, since the kernel keeps what
 * was written. But the kernel refuses to sync what it cannot keep: a device without storage and a
 * directory of {@code /proc}. Where the refusal does not come, the kernel was not asked.
 */
class FileStorageTest {
  @TempDir Path directory;

  @Test
  void syncOfAFileAsksTheKernel() throws IOException {
    Files.createSymbolicLink(directory.resolve("log"), Path.of("/dev/null"));
    try (FileStorage storage = FileStorage.open(directory);
        Storage.StoredFile file = storage.open("log")) {
      file.write(0, new byte[] {1}, 0, 1);
      assertThatThrownBy(file::sync).isInstanceOf(SyncFailedException.class);
    }
  }

  @Test
  void syncOfADirectoryAsksTheKernel() throws IOException {
    try (FileStorage storage = FileStorage.readOnly(Path.of("/proc/self"))) {
      assertThatThrownBy(storage::sync)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Invalid argument");
    }
  }

  @Test
  void whatCanBeSyncedIs() throws IOException {
    try (FileStorage storage = FileStorage.open(directory);
        Storage.StoredFile file = storage.create("log")) {
      file.write(0, new byte[] {1, 2}, 0, 2);
      file.sync();
      storage.sync();
      assertThat(file.length()).isEqualTo(2);
    }
  }
}
