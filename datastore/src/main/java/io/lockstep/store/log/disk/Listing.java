package io.lockstep.store.log.disk;

import io.lockstep.store.log.disk.FileNames.NumberedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The files of a data directory, by their names alone.
 *
 * @param promise whether there is a promise file
 * @param generation the newest one, 0 if there are no files
 * @param segments those of that generation, oldest first
 * @param snapshots those of that generation, newest first
 * @param outdated segments and snapshots of older generations
 * @param temporary files that were never completed
 * @param setAside files that were set aside
 */
record Listing(
    boolean promise,
    int generation,
    List<NumberedFile> segments,
    List<NumberedFile> snapshots,
    List<NumberedFile> outdated,
    List<String> temporary,
    List<String> setAside) {

  static Listing of(Storage storage) throws IOException {
    List<NumberedFile> numbered = new ArrayList<>();
    List<String> temporary = new ArrayList<>();
    List<String> setAside = new ArrayList<>();
    boolean promise = false;
    for (String name : storage.list()) {
      NumberedFile file = FileNames.parse(name);
      if (file != null) {
        numbered.add(file);
      } else if (FileNames.isTemporary(name)) {
        temporary.add(name);
      } else if (FileNames.setAsideNumber(name) >= 0) {
        setAside.add(name);
      }
      promise |= name.equals(FileNames.PROMISE);
    }
    int generation = numbered.stream().mapToInt(NumberedFile::generation).max().orElse(0);
    List<NumberedFile> segments = new ArrayList<>();
    List<NumberedFile> snapshots = new ArrayList<>();
    List<NumberedFile> outdated = new ArrayList<>();
    for (NumberedFile file : numbered) {
      if (file.generation() < generation) {
        outdated.add(file);
      } else {
        (file.snapshot() ? snapshots : segments).add(file);
      }
    }
    segments.sort(Comparator.comparingLong(NumberedFile::instance));
    snapshots.sort(Comparator.comparingLong(NumberedFile::instance).reversed());
    return new Listing(promise, generation, segments, snapshots, outdated, temporary, setAside);
  }

  /** Whether the log has begun, so that a missing file is damage. */
  boolean begun() {
    return !segments.isEmpty() || !snapshots.isEmpty();
  }

  /**
   * Whether the log was interrupted while it started over: the new segment is missing, and the old
   * ones exist.
   */
  boolean startingOver() {
    return segments.isEmpty()
        && snapshots.size() == 1
        && outdated.stream().anyMatch(file -> !file.snapshot());
  }
}
