package io.lockstep.dataplane.yaml;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A part of a YAML document that knows its line, from 1. Scalars keep the text as written. */
public sealed interface YamlNode {
  /** Deepest nesting read. */
  int MAX_DEPTH = 16;

  /** Where it begins, from 1. */
  int line();

  /** A single value, with its text. */
  record Scalar(int line, String text) implements YamlNode {}

  /** A list. */
  record Sequence(int line, List<YamlNode> items) implements YamlNode {}

  /**
   * A mapping.
   *
   * @param keyLines where each key stands
   */
  record Mapping(int line, Map<String, YamlNode> entries, Map<String, Integer> keyLines)
      implements YamlNode {}

  /**
   * Reads one document; null when there is none.
   *
   * @param problems gets what is wrong with the YAML itself
   */
  static @Nullable YamlNode read(String text, List<Problem> problems) throws IOException {
    try (JsonParser parser = new YAMLFactory().createParser(text)) {
      return parser.nextToken() == null ? null : node(parser, problems, 0);
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      String what = String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("");
      problems.add(new Problem(line, "not YAML: " + what, "correct the syntax"));
      return null;
    }
  }

  /** Names what a node is, for messages. */
  static String kind(YamlNode node) {
    if (node instanceof Scalar) {
      return "a value";
    }
    return node instanceof Sequence ? "a list" : "a mapping";
  }

  private static YamlNode node(JsonParser parser, List<Problem> problems, int depth)
      throws IOException {
    int line = parser.currentTokenLocation().getLineNr();
    if (depth > MAX_DEPTH) {
      problems.add(new Problem(line, "nested too deep", "use at most " + MAX_DEPTH + " levels"));
      parser.skipChildren();
      return new Scalar(line, "");
    }
    if (parser.currentToken() == JsonToken.START_ARRAY) {
      List<YamlNode> items = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(node(parser, problems, depth + 1));
      }
      return new Sequence(line, items);
    }
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      return new Scalar(line, parser.getText());
    }
    Map<String, YamlNode> entries = new LinkedHashMap<>();
    Map<String, Integer> keyLines = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      int keyLine = parser.currentTokenLocation().getLineNr();
      parser.nextToken();
      if (entries.put(key, node(parser, problems, depth + 1)) != null) {
        problems.add(new Problem(keyLine, "key " + key + " is given twice", "keep one of them"));
      }
      keyLines.put(key, keyLine);
    }
    return new Mapping(line, entries, keyLines);
  }
}
