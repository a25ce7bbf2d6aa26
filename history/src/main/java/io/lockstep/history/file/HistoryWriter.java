package io.lockstep.history.file;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.lockstep.history.check.Operation;
import io.lockstep.history.check.Operation.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Writes a history file, an operation as it ends. Lines come in the order of their ends.
 * Thread-safe; a failure to write is told by {@link #close}, not to whoever records.
 */
public final class HistoryWriter implements AutoCloseable {
  private final JsonGenerator out;
  private final Path file;
  private long lines;
  private @Nullable IOException failure;

  /** A new file; one that exists is overwritten. */
  public HistoryWriter(Path file) throws IOException {
    this.file = file;
    this.out = new JsonFactory().createGenerator(Files.newBufferedWriter(file));
    out.setRootValueSeparator(null);
  }

  /** Appends a line. */
  public synchronized void write(Operation operation) {
    if (failure != null) {
      return;
    }
    try {
      writeFields(operation);
      lines++;
    } catch (IOException e) {
      failure = e;
    }
  }

  private void writeFields(Operation operation) throws IOException {
    out.writeStartObject();
    writeText(HistoryFields.CLIENT, operation.client());
    out.writeStringField(HistoryFields.OP, HistoryFields.name(operation.kind()));
    out.writeStringField(HistoryFields.TABLE, operation.table());
    out.writeStringField(HistoryFields.KEY, operation.key());
    writeText(HistoryFields.VALUE, operation.value());
    if (HistoryFields.hasExpectedVersion(operation.kind())) {
      Long expected = operation.expectedVersion();
      if (expected == null) {
        out.writeNullField(HistoryFields.EXPECTED_VERSION);
      } else {
        out.writeNumberField(HistoryFields.EXPECTED_VERSION, expected);
      }
    }
    out.writeNumberField(HistoryFields.START_NANOS, operation.startNanos());
    out.writeNumberField(HistoryFields.END_NANOS, operation.endNanos());
    out.writeStringField(HistoryFields.OUTCOME, HistoryFields.name(operation.outcome()));
    Result result = operation.result();
    if (result == null) {
      out.writeNullField(HistoryFields.RESULT);
    } else {
      out.writeObjectFieldStart(HistoryFields.RESULT);
      writeText(HistoryFields.VALUE, result.value());
      out.writeNumberField(HistoryFields.VERSION, result.version());
      out.writeEndObject();
    }
    out.writeEndObject();
    out.writeRaw('\n');
  }

  /** Numbers without quotes. */
  private void writeText(String field, @Nullable String text) throws IOException {
    if (text == null) {
      out.writeNullField(field);
    } else if (Operation.isNumber(text)) {
      out.writeNumberField(field, Long.parseLong(text));
    } else {
      out.writeStringField(field, text);
    }
  }

  /** How many lines there are. */
  public synchronized long lines() {
    return lines;
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
