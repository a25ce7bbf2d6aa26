package io.lockstep.store.log.disk;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that no longer count and are kept for people to look at, {@link #KEPT} lots of them. They
 * can be deleted at any time.
 */
final class SetAside {
  /** Lots that are kept; the oldest go first. */
  static final int KEPT = 3;

  private static final Logger log = LoggerFactory.getLogger(SetAside.class);

  private final Storage storage;
  private final int number;

  private SetAside(Storage storage, int number) {
    this.storage = storage;
    this.number = number;
  }

  /** A new lot; removes the oldest where there would be too many. */
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

  /** The name that a file gets in this lot. */
  String nameOf(String file) {
    return FileNames.setAside(number, file);
  }

  /** Renames a file; not durable before the directory is synced. */
  void take(String file, String why) throws IOException {
    storage.rename(file, nameOf(file));
    log.warn("{}/{} set aside as {}: {}", storage.directory(), file, nameOf(file), why);
  }

  /** Takes the segments of a log that started over; its snapshots are just removed. */
  void takeGeneration(List<FileNames.Numbered> files) throws IOException {
    for (FileNames.Numbered file : files) {
      if (file.snapshot()) {
        storage.delete(file.name());
      } else {
        take(file.name(), "the log started over from a peer's snapshot");
      }
    }
  }
}
