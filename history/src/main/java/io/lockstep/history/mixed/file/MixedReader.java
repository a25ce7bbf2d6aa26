package io.lockstep.history.mixed.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import io.lockstep.history.mixed.Step;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads a file of steps whole. */
public final class MixedReader {
  /** A file with more lines is refused: the check keeps all of them in memory. */
  public static final int MAX_LINES = 500_000;

  /** What tells a line of {@code mixed.jsonl} from one of {@code history.jsonl}. */
  private static final String OWN_FIELD = "\"guards\":";

  private static final ObjectReader JSON = MixedFormat.JSON.readerFor(Step.class);

  private MixedReader() {}

  /** A file that cannot be read; the message names the file, the line and what is wrong. */
  public static final class FormatException extends Exception {
    private static final long serialVersionUID = 1L;

    FormatException(String message) {
      super(message);
    }
  }

  /** Whether a file holds steps, by its first line. */
  public static boolean isMixed(Path file) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      String first = lines.readLine();
      return first != null && first.contains(OWN_FIELD);
    }
  }

  /**
   * Reads a file.
   *
   * @throws FormatException that names the line that cannot be read
   * @throws IOException where there is no such file, or it cannot be read
   */
  public static List<Step> read(Path file) throws IOException, FormatException {
    List<Step> steps = new ArrayList<>();
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      String line;
      while ((line = lines.readLine()) != null) {
        if (steps.size() == MAX_LINES) {
          throw new FormatException(file + ": more than " + MAX_LINES + " lines");
        }
        steps.add(JSON.readValue(line));
      }
    } catch (MalformedInputException e) {
      throw new FormatException(file + " after line " + steps.size() + ": not UTF-8");
    } catch (JsonProcessingException e) {
      throw new FormatException(
          file + " line " + (steps.size() + 1) + ": " + e.getOriginalMessage());
    }
    return steps;
  }
}
