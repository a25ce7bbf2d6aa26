package io.lockstep.history.replica.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.log.disk.Storage;
import io.lockstep.store.log.disk.Storage.StoredFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PowerLossTest {
  @TempDir Path directory;
  private Path live;
  private Path side;
  private Storage storage;

  @BeforeEach
  void open() throws Exception {
    live = directory.resolve("live");
    side = directory.resolve("side");
    storage = PowerStorage.of(live, side);
  }

  private static void write(StoredFile file, long at, String text) throws Exception {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    file.write(at, bytes, 0, bytes.length);
  }

  private void make(String name, String text) throws Exception {
    try (StoredFile file = storage.create(name)) {
      write(file, 0, text);
      file.sync();
    }
    storage.sync();
  }

  /** A random generator that lets no page survive, or every one. */
  private static Random survivors(boolean all) {
    return new Random() {
      private static final long serialVersionUID = 1L;

      @Override
      public boolean nextBoolean() {
        return all;
      }
    };
  }

  private void losePower() throws Exception {
    PowerLoss.undo(live, side, survivors(false));
    storage = PowerStorage.of(live, side);
  }

  private String text(String name) throws Exception {
    return Files.readString(live.resolve(name));
  }

  @Test
  void whatWasSyncedStays() throws Exception {
    make("log", "one");
    losePower();
    assertThat(text("log")).isEqualTo("one");
    assertThat(storage.list()).containsExactly("log");
  }

  @Test
  void whatWasNotSyncedIsUndone() throws Exception {
    make("log", "one");
    try (StoredFile file = storage.open("log")) {
      write(file, 3, " two");
      file.sync();
      write(file, 0, "ONE");
      write(file, 7, " three");
    }
    assertThat(text("log")).isEqualTo("ONE two three");
    losePower();
    assertThat(text("log")).isEqualTo("one two");
  }

  @Test
  void aCutThatWasNotSyncedIsUndone() throws Exception {
    make("log", "one two");
    try (StoredFile file = storage.open("log")) {
      file.truncate(3);
    }
    losePower();
    assertThat(text("log")).isEqualTo("one two");
    try (StoredFile file = storage.open("log")) {
      file.truncate(3);
      file.sync();
    }
    losePower();
    assertThat(text("log")).isEqualTo("one");
  }

  @Test
  void namesNeedASyncOfTheDirectory() throws Exception {
    make("a", "a");
    make("b", "b");
    try (StoredFile file = storage.create("c")) {
      write(file, 0, "c");
      file.sync();
    }
    storage.rename("a", "d");
    storage.delete("b");
    losePower();
    assertThat(storage.list()).containsExactlyInAnyOrder("a", "b");
    assertThat(text("a")).isEqualTo("a");
    assertThat(text("b")).isEqualTo("b");
    storage.rename("a", "b");
    storage.sync();
    losePower();
    assertThat(storage.list()).containsExactly("b");
    assertThat(text("b")).isEqualTo("a");
  }

  @Test
  void aNameWithoutContents() throws Exception {
    try (StoredFile file = storage.create("a")) {
      write(file, 0, "lost");
    }
    storage.sync();
    losePower();
    assertThat(text("a")).isEmpty();
  }

  @Test
  void aKillAloneUndoesNothingAndSyncsNothing() throws Exception {
    make("log", "one");
    try (StoredFile file = storage.open("log")) {
      write(file, 3, " two");
    }
    storage = PowerStorage.of(live, side);
    assertThat(text("log")).isEqualTo("one two");
    storage.sync();
    losePower();
    assertThat(text("log")).isEqualTo("one");
    try (StoredFile file = storage.open("log")) {
      write(file, 3, " two");
    }
    // A sync by a later process covers what an earlier one wrote.
    storage = PowerStorage.of(live, side);
    try (StoredFile file = storage.open("log")) {
      file.sync();
    }
    losePower();
    assertThat(text("log")).isEqualTo("one two");
  }

  @Test
  void pagesMaySurvive() throws Exception {
    make("log", "one");
    try (StoredFile file = storage.open("log")) {
      write(file, 3, " two");
    }
    PowerLoss.undo(live, side, survivors(true));
    assertThat(text("log")).isEqualTo("one two");
  }

  @Test
  void inodesThatAreUsedAgainAreOtherFiles() throws Exception {
    make("a", "old");
    for (int i = 0; i < 20; i++) {
      storage.delete("a");
      try (StoredFile file = storage.create("a")) {
        write(file, 0, "new, not synced");
      }
    }
    losePower();
    assertThat(text("a")).isEqualTo("old");
  }
}
