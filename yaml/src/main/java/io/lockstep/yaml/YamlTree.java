package io.lockstep.yaml;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A YAML document as a tree whose nodes know their places, so that every later complaint can name
 * line and column. Scalars keep their text as written: {@code 010} stays {@code 010}.
 */
public sealed interface YamlTree {

  /** Nesting that is still read; no file of ours needs more than 6. */
  int MAX_DEPTH = 16;

  /**
   * Values, lists and mappings that are still read: a megabyte of one-letter items takes a hundred.
   */
  int MAX_VALUES = 100_000;

  /** Characters that are still read: the parser takes quadratic time for one very long value. */
  int MAX_CHARACTERS = 2 << 20;

  /** Where the node begins. */
  Place place();

  /** Keys and values in the order of the file; a key may come twice, {@link Section} complains. */
  record Mapping(Place place, List<Member> members) implements YamlTree {}

  /** One key of a mapping. */
  record Member(Place place, String key, YamlTree value) {}

  /** A list. */
  record Sequence(Place place, List<YamlTree> items) implements YamlTree {}

  /** A text, a number or a truth value, as written. */
  record Scalar(Place place, String text) implements YamlTree {}

  /** Nothing: {@code key:} with no value. */
  record Empty(Place place) implements YamlTree {}

  /**
   * Reads a text of one document.
   *
   * @return the tree, or null where the text is not YAML or too large; then the problem is added
   */
  static @Nullable YamlTree read(String text, List<Problem> problems) {
    if (text.length() > MAX_CHARACTERS) {
      problems.add(
          new Problem(
              Place.TOP,
              "",
              "more than " + MAX_CHARACTERS + " characters",
              "is it the right file?"));
      return null;
    }
    try {
      if (!isSmall(text, problems)) {
        return null;
      }
    } catch (IOException notYaml) {
      // The reader below meets the same problem and names its place.
    }
    try (YAMLParser parser = new YAMLFactory().createParser(text)) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        return new Empty(Place.TOP);
      }
      YamlTree tree = node(parser, 0, problems);
      if (parser.nextToken() != null) {
        problems.add(
            new Problem(
                place(parser.currentTokenLocation()),
                "",
                "a second document begins here",
                "keep one document in the file"));
      }
      return tree;
    } catch (JsonProcessingException e) {
      problems.add(
          new Problem(
              place(e.getLocation()),
              "",
              "this is not YAML: " + firstLine(e.getOriginalMessage()),
              "mind indentation by spaces, colons followed by a space, and closed quotes"));
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  private static boolean isSmall(String text, List<Problem> problems) throws IOException {
    try (YAMLParser parser = new YAMLFactory().createParser(text)) {
      int values = 0;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if ((token.isScalarValue() || token.isStructStart()) && ++values > MAX_VALUES) {
          problems.add(
              new Problem(
                  place(parser.currentTokenLocation()),
                  "",
                  "more than " + MAX_VALUES + " values",
                  "is it the right file?"));
          return false;
        }
      }
    }
    return true;
  }

  private static YamlTree node(YAMLParser parser, int depth, List<Problem> problems)
      throws IOException {
    Place place = place(parser.currentTokenLocation());
    if (depth > MAX_DEPTH) {
      problems.add(new Problem(place, "", "nested deeper than " + MAX_DEPTH, "remove levels"));
      parser.skipChildren();
      return new Empty(place);
    }
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      List<Member> members = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        Place keyPlace = place(parser.currentTokenLocation());
        String key = parser.currentName();
        parser.nextToken();
        members.add(new Member(keyPlace, key, node(parser, depth + 1, problems)));
      }
      return new Mapping(place, members);
    }
    if (token == JsonToken.START_ARRAY) {
      List<YamlTree> items = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(node(parser, depth + 1, problems));
      }
      return new Sequence(place, items);
    }
    if (parser.isCurrentAlias()) {
      problems.add(
          new Problem(place, "", "aliases are not read", "write the value out where it is used"));
    }
    if (token == JsonToken.VALUE_NULL) {
      return new Empty(place);
    }
    return new Scalar(place, scalarText(parser));
  }

  private static String scalarText(JsonParser parser) throws IOException {
    String text = parser.getText();
    return text == null ? "" : text.strip();
  }

  private static Place place(@Nullable JsonLocation location) {
    return location == null
        ? Place.TOP
        : new Place(Math.max(1, location.getLineNr()), Math.max(1, location.getColumnNr()));
  }

  private static String firstLine(String message) {
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
