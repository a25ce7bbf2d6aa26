package io.lockstep.history.replica.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * Undoes in a directory what its process, which was killed, had not synced: names as they were at
 * the last sync of the directory, contents as at the last sync of the file, and of what was written
 * since nothing or some pages, as chance has it.
 */
public final class PowerLoss {
  /** Keeps a second process out; it holds nothing. */
  static final String LOCK = "lock";

  private static final int PAGE_BYTES = 4_096;

  private PowerLoss() {}

  /**
   * Undoes it.
   *
   * @param live the directory; no process uses it
   * @param side what {@link PowerStorage} kept beside it
   * @param random draws which pages survive
   * @return how many files are not as they were
   */
  public static int undo(Path live, Path side, Random random) throws IOException {
    Map<Long, byte[]> written = new HashMap<>();
    for (Map.Entry<String, Long> file : SyncedCopy.liveNumbers(live, side).entrySet()) {
      written.put(file.getValue(), Files.readAllBytes(live.resolve(file.getKey())));
    }
    boolean pagesSurvive = random.nextBoolean();
    Map<String, byte[]> left = new HashMap<>();
    for (Map.Entry<String, Long> file : SyncedCopy.names(side).entrySet()) {
      byte[] synced = SyncedCopy.bytes(side, file.getValue());
      byte[] newest = written.get(file.getValue());
      left.put(
          file.getKey(), newest == null || !pagesSurvive ? synced : torn(synced, newest, random));
    }
    int changed = replace(live, left);
    clear(side);
    try (PowerStorage fresh = PowerStorage.of(live, side)) {
      fresh.allIsSynced();
    }
    return changed;
  }

  /** Some pages as they were written last, the others as they were synced. */
  private static byte[] torn(byte[] synced, byte[] newest, Random random) {
    byte[] torn = synced.clone();
    for (int at = 0; at < newest.length; at += PAGE_BYTES) {
      int end = Math.min(newest.length, at + PAGE_BYTES);
      if (random.nextBoolean()) {
        torn = torn.length < end ? java.util.Arrays.copyOf(torn, end) : torn;
        System.arraycopy(newest, at, torn, at, end - at);
      }
    }
    return torn;
  }

  private static int replace(Path live, Map<String, byte[]> left) throws IOException {
    int changed = 0;
    for (String name : SyncedCopy.files(live)) {
      if (!left.containsKey(name)) {
        Files.delete(live.resolve(name));
        changed++;
      }
    }
    for (Map.Entry<String, byte[]> file : left.entrySet()) {
      Path to = live.resolve(file.getKey());
      if (!Files.exists(to) || !java.util.Arrays.equals(Files.readAllBytes(to), file.getValue())) {
        Files.write(to, file.getValue());
        changed++;
      }
    }
    return changed;
  }

  /** Forgets what was synced, as where the directory was emptied or replaced from outside. */
  public static void clear(Path side) throws IOException {
    if (Files.exists(side)) {
      for (String name : SyncedCopy.files(side)) {
        Files.delete(side.resolve(name));
      }
    }
  }
}
