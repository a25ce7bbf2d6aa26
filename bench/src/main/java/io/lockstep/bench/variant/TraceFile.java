package io.lockstep.bench.variant;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Events in a file, a line of JSON for each, so that another process can read them. Thread-safe.
 *
 * @param path the file; it need not be there
 */
record TraceFile(Path path) {
  /** Events of one workload that one process writes, at most; further ones are left out. */
  static final int MOST_OF_A_WORKLOAD = 2_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Appends each event when it comes, so that a frequent one leaves room for others. */
  Consumer<EventOperations> appending() {
    return new Consumer<>() {
      private final Map<String, Integer> written = new HashMap<>();

      @Override
      public synchronized void accept(EventOperations event) {
        if (written.merge(event.workload(), 1, Integer::sum) <= MOST_OF_A_WORKLOAD) {
          append(event);
        }
      }
    };
  }

  private void append(EventOperations event) {
    try {
      Files.writeString(
          path,
          JSON.writeValueAsString(event) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("writing " + path, e);
    }
  }

  /** All whole lines that are there now; none where there is no file. */
  List<EventOperations> read() throws IOException {
    List<EventOperations> events = new ArrayList<>();
    if (Files.exists(path)) {
      String text = Files.readString(path);
      for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
        events.add(JSON.readValue(line, EventOperations.class));
      }
    }
    return events;
  }
}
