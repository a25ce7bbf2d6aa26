package io.lockstep.history.mixed.file;

import com.fasterxml.jackson.databind.ObjectWriter;
import io.lockstep.history.mixed.Step;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Writes steps as they end. Thread-safe; {@link #close} reports a failure to write, not the caller
 * that records.
 */
public final class MixedWriter implements AutoCloseable {
  private static final ObjectWriter JSON = MixedFormat.JSON.writerFor(Step.class);

  private final Path file;
  private final BufferedWriter out;
  private @Nullable IOException failure;

  /** A new file; one that exists is overwritten. */
  public MixedWriter(Path file) throws IOException {
    this.file = file;
    this.out = Files.newBufferedWriter(file);
  }

  /** Appends a line. */
  public synchronized void write(Step step) {
    if (failure != null) {
      return;
    }
    try {
      out.write(JSON.writeValueAsString(step));
      out.write('\n');
    } catch (IOException e) {
      failure = e;
    }
  }

  /**
   * Ends the file.
   *
   * @throws IOException where not everything could be written
   */
  @Override
  public synchronized void close() throws IOException {
    out.close();
    if (failure != null) {
      throw new IOException("cannot write " + file + ": " + failure.getMessage(), failure);
    }
  }
}
