package io.lockstep.bench.figures;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lockstep.bench.figures.FigureRow.Point;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes {@code figures.json}: a JSON list with one {@link FigureRow} on each line, so
 * that runs can be compared line by line. Stateless.
 */
public final class FiguresFile {
  /** A file of this size has some hundred thousand rows; a run has about a thousand. */
  private static final long MOST_BYTES = 64L << 20;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .build();

  private static final ObjectWriter ROW = JSON.writerFor(FigureRow.class);
  private static final ObjectReader ROWS = JSON.readerFor(new TypeReference<List<FigureRow>>() {});

  private FiguresFile() {}

  /**
   * Reads all rows.
   *
   * @throws BenchException that names the file and what to do, where it cannot be read, is cut off,
   *     or is no such list
   */
  public static List<FigureRow> read(Path file) throws BenchException {
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new BenchException(file + " is larger than a list of rows can be; " + remedy(file));
      }
      List<FigureRow> rows = ROWS.readValue(Files.readString(file));
      if (rows == null || rows.contains(null)) {
        throw new BenchException(file + " is no list of rows; " + remedy(file));
      }
      return List.copyOf(rows);
    } catch (JsonProcessingException e) {
      throw new BenchException(
          file
              + " is cut off or no list of rows: "
              + e.getOriginalMessage()
              + at(e)
              + "; "
              + remedy(file),
          e);
    } catch (IOException e) {
      throw new BenchException("cannot read " + file + ": " + e, e);
    }
  }

  private static String at(JsonProcessingException e) {
    return e.getLocation() == null ? "" : " in line " + e.getLocation().getLineNr();
  }

  private static String remedy(Path file) {
    return "move " + file.getFileName() + " away, or name another directory";
  }

  /**
   * Writes all rows, whole or not at all; missing directories are made.
   *
   * @throws BenchException where the file cannot be written; an earlier one is as it was
   * @throws IllegalArgumentException where a value is infinite or not a number, for which JSON has
   *     no word
   */
  public static void write(Path file, List<FigureRow> rows) throws BenchException {
    for (FigureRow row : rows) {
      if (row instanceof Point point && !isFinite(point)) {
        throw new IllegalArgumentException("not a finite number: " + point);
      }
    }
    Path target = file.toAbsolutePath();
    Path part = target.resolveSibling(target.getFileName() + ".part");
    try {
      Path directory = target.getParent();
      if (directory != null) {
        Files.createDirectories(directory);
      }
      try {
        Files.writeString(part, text(rows));
        Files.move(
            part, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        // On a full disk half a file would take the room that is missing.
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      throw new BenchException(
          "cannot write " + file + ": " + e + "; the file is as it was before", e);
    }
  }

  private static boolean isFinite(Point point) {
    return isFinite(point.value())
        && isFinite(point.low())
        && isFinite(point.high())
        && isFinite(point.paper())
        && isFinite(point.ratio());
  }

  private static boolean isFinite(@Nullable Double value) {
    return value == null || Double.isFinite(value);
  }

  private static String text(List<FigureRow> rows) throws IOException {
    if (rows.isEmpty()) {
      return "[]\n";
    }
    StringBuilder text = new StringBuilder("[\n");
    for (int i = 0; i < rows.size(); i++) {
      text.append(ROW.writeValueAsString(rows.get(i))).append(i + 1 < rows.size() ? ",\n" : "\n");
    }
    return text.append("]\n").toString();
  }
}
