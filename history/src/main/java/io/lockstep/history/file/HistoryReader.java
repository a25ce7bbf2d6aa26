package io.lockstep.history.file;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lockstep.history.check.Operation;
import io.lockstep.history.check.Operation.Kind;
import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.check.Operation.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a history file whole. Used by one thread. */
public final class HistoryReader {
  /** A file with more lines is refused: the check keeps all of them in memory. */
  public static final int MAX_LINES = 2_000_000;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();
  private static final ObjectReader JSON = MAPPER.readerFor(JsonNode.class);
  private static final Set<String> RESULT_FIELDS =
      Set.of(HistoryFields.VALUE, HistoryFields.VERSION);
  private static final Set<String> FIELDS =
      Set.of(
          HistoryFields.CLIENT,
          HistoryFields.OP,
          HistoryFields.TABLE,
          HistoryFields.KEY,
          HistoryFields.VALUE,
          HistoryFields.START_NANOS,
          HistoryFields.END_NANOS,
          HistoryFields.OUTCOME,
          HistoryFields.RESULT);

  /** Equal texts are kept once. */
  private final Map<String, String> texts = new HashMap<>();

  private HistoryReader() {}

  /**
   * Reads a file.
   *
   * @throws HistoryFormatException that names the line that cannot be read
   * @throws IOException where there is no such file, or it cannot be read
   */
  public static List<Operation> read(Path file) throws IOException, HistoryFormatException {
    HistoryReader reader = new HistoryReader();
    List<Operation> operations = new ArrayList<>();
    int number = 0;
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      String line;
      while ((line = lines.readLine()) != null) {
        number++;
        if (number > MAX_LINES) {
          throw new HistoryFormatException(file + ": more than " + MAX_LINES + " lines");
        }
        operations.add(reader.operation(line));
      }
    } catch (MalformedInputException e) {
      throw new HistoryFormatException(file + " after line " + number + ": not UTF-8");
    } catch (BadLineException e) {
      throw new HistoryFormatException(file + " line " + number + ": " + e.getMessage());
    }
    return operations;
  }

  private Operation operation(String line) throws BadLineException {
    JsonNode node;
    try {
      node = JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new BadLineException("not JSON: " + e.getOriginalMessage());
    }
    if (!node.isObject()) {
      throw new BadLineException(line.isBlank() ? "empty" : "not a JSON object");
    }
    String op = text(node, HistoryFields.OP);
    Kind kind = HistoryFields.kind(op);
    if (kind == null) {
      throw new BadLineException("unknown op '" + op + "'");
    }
    checkFields(node, kind);
    String outcomeName = text(node, HistoryFields.OUTCOME);
    Outcome outcome = HistoryFields.outcome(outcomeName);
    if (outcome == null) {
      throw new BadLineException("unknown outcome '" + outcomeName + "'");
    }
    try {
      return new Operation(
          scalar(node, HistoryFields.CLIENT),
          kind,
          text(node, HistoryFields.TABLE),
          text(node, HistoryFields.KEY),
          optional(node, HistoryFields.VALUE),
          expectedVersion(node),
          number(node, HistoryFields.START_NANOS),
          number(node, HistoryFields.END_NANOS),
          outcome,
          result(node));
    } catch (IllegalArgumentException e) {
      throw new BadLineException(String.valueOf(e.getMessage()));
    }
  }

  private static void checkFields(JsonNode node, Kind kind) throws BadLineException {
    for (String field : FIELDS) {
      if (!node.has(field)) {
        throw new BadLineException("field '" + field + "' is missing");
      }
    }
    boolean conditional = HistoryFields.hasExpectedVersion(kind);
    if (conditional && !node.has(HistoryFields.EXPECTED_VERSION)) {
      throw new BadLineException("field '" + HistoryFields.EXPECTED_VERSION + "' is missing");
    }
    for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!FIELDS.contains(name) && !(conditional && name.equals(HistoryFields.EXPECTED_VERSION))) {
        throw new BadLineException(
            "field '" + name + "' does not belong to op " + HistoryFields.name(kind));
      }
    }
  }

  private @Nullable Long expectedVersion(JsonNode node) throws BadLineException {
    JsonNode expected = node.get(HistoryFields.EXPECTED_VERSION);
    return expected == null || expected.isNull()
        ? null
        : number(node, HistoryFields.EXPECTED_VERSION);
  }

  private @Nullable Result result(JsonNode line) throws BadLineException {
    JsonNode node = line.get(HistoryFields.RESULT);
    if (node == null || node.isNull()) {
      return null;
    }
    if (!node.isObject() || node.size() != RESULT_FIELDS.size()) {
      throw new BadLineException("field 'result' is not {value, version} or null");
    }
    for (String field : RESULT_FIELDS) {
      if (!node.has(field)) {
        throw new BadLineException("field '" + field + "' of 'result' is missing");
      }
    }
    return new Result(optional(node, HistoryFields.VALUE), number(node, HistoryFields.VERSION));
  }

  private static long number(JsonNode node, String field) throws BadLineException {
    JsonNode value = node.get(field);
    if (value == null || !value.isIntegralNumber() || !value.canConvertToLong()) {
      throw new BadLineException("field '" + field + "' is not a 64-bit number");
    }
    if (value.longValue() < 0) {
      throw new BadLineException("field '" + field + "' is negative");
    }
    return value.longValue();
  }

  private String text(JsonNode node, String field) throws BadLineException {
    JsonNode value = node.get(field);
    if (value == null) {
      throw new BadLineException("field '" + field + "' is missing");
    }
    if (!value.isTextual()) {
      throw new BadLineException("field '" + field + "' is not a string");
    }
    return once(value.textValue());
  }

  private String scalar(JsonNode node, String field) throws BadLineException {
    String value = optional(node, field);
    if (value == null) {
      throw new BadLineException("field '" + field + "' is null");
    }
    return value;
  }

  private @Nullable String optional(JsonNode node, String field) throws BadLineException {
    JsonNode value = node.get(field);
    if (value == null || value.isNull()) {
      return null;
    }
    if (!value.isTextual() && !value.isIntegralNumber()) {
      throw new BadLineException("field '" + field + "' is neither a string nor a whole number");
    }
    return once(value.asText());
  }

  private String once(String text) {
    String known = texts.putIfAbsent(text, text);
    return known == null ? text : known;
  }

  /** What is wrong with a line; {@link #read} adds its number. */
  private static final class BadLineException extends Exception {
    private static final long serialVersionUID = 1L;

    BadLineException(String message) {
      super(message, null, false, false);
    }
  }
}
