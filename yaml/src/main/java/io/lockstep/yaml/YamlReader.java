package io.lockstep.yaml;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.lockstep.yaml.YamlTree.Empty;
import io.lockstep.yaml.YamlTree.Mapping;
import io.lockstep.yaml.YamlTree.Member;
import io.lockstep.yaml.YamlTree.Scalar;
import io.lockstep.yaml.YamlTree.Sequence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a text of one document into a {@link YamlTree}, within its bounds. Used by one thread. */
final class YamlReader {
  private final YAMLParser parser;
  private final List<Problem> problems;
  private int values;

  private YamlReader(YAMLParser parser, List<Problem> problems) {
    this.parser = parser;
    this.problems = problems;
  }

  /**
   * Reads a text.
   *
   * @return the tree, or null where the text is not YAML or too large; then the problem is added
   */
  static @Nullable YamlTree read(String text, List<Problem> problems) {
    if (text.length() > YamlTree.MAX_CHARACTERS) {
      problems.add(tooLarge(Place.TOP, "more than " + YamlTree.MAX_CHARACTERS + " characters"));
      return null;
    }
    try (YAMLParser parser = new YAMLFactory().createParser(text)) {
      return new YamlReader(parser, problems).document();
    } catch (TooManyValuesException e) {
      problems.add(tooLarge(e.place, "more than " + YamlTree.MAX_VALUES + " values"));
      return null;
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

  private static Problem tooLarge(Place where, String what) {
    return new Problem(where, "", what, "is it the right file?");
  }

  /** More values than {@link YamlTree#MAX_VALUES}. */
  private static final class TooManyValuesException extends IOException {
    private static final long serialVersionUID = 1L;
    private final transient Place place;

    TooManyValuesException(Place place) {
      this.place = place;
    }
  }

  private YamlTree document() throws IOException {
    if (parser.nextToken() == null) {
      return new Empty(Place.TOP);
    }
    YamlTree tree = node(0);
    if (parser.nextToken() != null) {
      problems.add(
          new Problem(
              place(parser.currentTokenLocation()),
              "",
              "a second document begins here",
              "keep one document in the file"));
    }
    return tree;
  }

  private YamlTree node(int depth) throws IOException {
    Place place = place(parser.currentTokenLocation());
    if (++values > YamlTree.MAX_VALUES) {
      throw new TooManyValuesException(place);
    }
    if (depth > YamlTree.MAX_DEPTH) {
      problems.add(
          new Problem(place, "", "nested deeper than " + YamlTree.MAX_DEPTH, "remove levels"));
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
        members.add(new Member(keyPlace, key, node(depth + 1)));
      }
      return new Mapping(place, members);
    }
    if (token == JsonToken.START_ARRAY) {
      List<YamlTree> items = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(node(depth + 1));
      }
      return new Sequence(place, items);
    }
    if (parser.isCurrentAlias()) {
      problems.add(
          new Problem(place, "", "aliases are not read", "write the value out where it is used"));
    }
    return token == JsonToken.VALUE_NULL ? new Empty(place) : new Scalar(place, scalarText());
  }

  private String scalarText() throws IOException {
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
