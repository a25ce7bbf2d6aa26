package io.lockstep.store.log.disk;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets files aside that no longer count, and keeps the newest {@link #KEPT} lots of them for
 * inspection. An operator can delete them at any time.
 */
final class SetAside {
  /** The number of lots that are kept, the newest ones. */
  static final int KEPT = 3;

  private static final Logger log = LoggerFactory.getLogger(SetAside.class);

  private final Storage storage;
  private final int number;

  private SetAside(Storage storage, int number) {
    this.storage = storage;
    this.number = number;
  }

  /** Begins a new lot; removes the oldest if there would be too many. */
  static SetAside next(Storage storage) throws IOException {
    TreeMap<Integer, List<String>> lots = new TreeMap<>();
    for (String name : storage.list()) {
      int lot = FileNames.setAsideNumber(name);
      if (lot >= 0) {
        lots.computeIfAbsent(lot, l -> new ArrayList<>()).add(name);
      }
    }
    int number = lots.isEmpty() ? 1 : lots.lastKey() + 1;
    while (lots.size() >= KEPT) {
      for (String name : lots.pollFirstEntry().getValue()) {
        storage.delete(name);
      }
    }
    return new SetAside(storage, number);
  }

  /** The name of a file in this lot. */
  String nameOf(String file) {
    return FileNames.setAside(number, file);
  }

  /** Renames a file into this lot; not durable before the directory is synced. */
  void take(String file, String why) throws IOException {
    storage.rename(file, nameOf(file));
    log.warn("{}/{} set aside as {}: {}", storage.directory(), file, nameOf(file), why);
  }

  /** Sets aside the segments of a log that started over; removes its snapshots. */
  void takeGeneration(List<FileNames.NumberedFile> files) throws IOException {
    for (FileNames.NumberedFile file : files) {
      if (file.snapshot()) {
        storage.delete(file.name());
      } else {
        take(file.name(), "the log started over from a peer's snapshot");
      }
    }
  }
}
