package io.lockstep.bench.failover;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The snapshots that a replica has made, as its log tells. Used by one thread. */
final class SnapshotNotes {
  private static final Pattern LINE =
      Pattern.compile(
          "snapshot at instance \\d+: \\d+ bytes in (\\d+) ms"
              + "(?: \\((\\d+) lines like this were left out\\))?"
              + "(?:.*; of those left out the longest took (\\d+) ms)?");

  private final Path log;
  private long read;
  private long count;
  private long longestMillis;

  SnapshotNotes(Path log) {
    this.log = log;
  }

  /** Reads what was written since the last look; a line that is not whole waits for the next. */
  void look() throws IOException {
    if (!Files.exists(log)) {
      return;
    }
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      byte[] fresh = new byte[(int) (file.length() - read)];
      file.seek(read);
      file.readFully(fresh);
      int whole = fresh.length;
      while (whole > 0 && fresh[whole - 1] != '\n') {
        whole--;
      }
      read += whole;
      Matcher made = LINE.matcher(new String(fresh, 0, whole, StandardCharsets.UTF_8));
      while (made.find()) {
        count += 1 + number(made.group(2));
        longestMillis =
            Math.max(longestMillis, Math.max(number(made.group(1)), number(made.group(3))));
      }
    }
  }

  private static long number(@Nullable String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }

  /** How many there were, as far as a line tells. */
  long count() {
    return count;
  }

  /** What the longest took; 0 where there was none. */
  long longestMillis() {
    return longestMillis;
  }
}
