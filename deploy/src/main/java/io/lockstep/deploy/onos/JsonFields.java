package io.lockstep.deploy.onos;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.core.resource.Shown;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of a JSON object. Every problem is a {@link RefusedException} that names the
 * field by its whole path, such as {@code selector.criteria[0].ethType}. A number may also stand as
 * a text, in decimal or after {@code 0x}, as clients of ONOS write it. Used by one thread.
 */
final class JsonFields {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,18}");
  private static final Pattern HEX = Pattern.compile("0[xX][0-9a-fA-F]{1,16}");
  private static final int HEX_RADIX = 16;

  private final ObjectNode node;
  private final String path;
  private final Set<String> read = new HashSet<>();

  private JsonFields(ObjectNode node, String path) {
    this.node = node;
    this.path = path;
  }

  /** The object that a body is. */
  static JsonFields of(byte[] body) {
    try {
      if (JSON.readTree(body) instanceof ObjectNode object) {
        return new JsonFields(object, "");
      }
      throw RefusedException.wrong("the body is no JSON object");
    } catch (JsonProcessingException e) {
      var place = e.getLocation();
      throw RefusedException.wrong(
          "the body is no JSON, or has a field twice: "
              + (place == null
                  ? "it is empty"
                  : "line " + place.getLineNr() + ", column " + place.getColumnNr()));
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory cannot be read", e);
    }
  }

  private String path(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  RefusedException wrong(String name, String why) {
    return RefusedException.wrong(path(name) + ": " + why);
  }

  private JsonNode required(String name) {
    JsonNode value = optional(name);
    if (value == null) {
      throw wrong(name, "is missing");
    }
    return value;
  }

  private @Nullable JsonNode optional(String name) {
    read.add(name);
    JsonNode value = node.get(name);
    return value == null || value.isNull() ? null : value;
  }

  boolean has(String name) {
    return node.hasNonNull(name);
  }

  String text(String name) {
    JsonNode value = required(name);
    if (!value.isTextual()) {
      throw wrong(name, "is no text");
    }
    return value.textValue();
  }

  /** Parses a text, where an {@link IllegalArgumentException} says that it is no {@code kind}. */
  <T> T parsed(String name, String kind, Function<String, T> parse) {
    String text = text(name);
    try {
      return parse.apply(text);
    } catch (IllegalArgumentException e) {
      throw wrong(name, "'" + Shown.text(text) + "' is no " + kind);
    }
  }

  boolean flag(String name) {
    JsonNode value = required(name);
    if (!value.isBoolean()) {
      throw wrong(name, "is neither true nor false");
    }
    return value.booleanValue();
  }

  long whole(String name, long least, long most) {
    JsonNode value = required(name);
    Long number = number(value);
    if (number == null || number < least || number > most) {
      throw wrong(name, "is no whole number of " + least + " to " + most);
    }
    return number;
  }

  /** A number of 64 bits without a sign; as a decimal number also one with a sign. */
  long bits(String name) {
    Long number = number(required(name));
    if (number == null) {
      throw wrong(name, "is no number of 64 bits");
    }
    return number;
  }

  /** The number that a value is; null where it is none. */
  static @Nullable Long number(JsonNode value) {
    if (value.isIntegralNumber()) {
      return value.canConvertToLong() ? value.longValue() : null;
    }
    return value.isTextual() ? number(value.textValue()) : null;
  }

  /** The number that a text is; null where it is none. */
  static @Nullable Long number(String text) {
    if (DECIMAL.matcher(text).matches()) {
      return Long.valueOf(text);
    }
    return HEX.matcher(text).matches()
        ? Long.parseUnsignedLong(text.substring(2), HEX_RADIX)
        : null;
  }

  /** A number, or a text that is none; for fields that have both. */
  Object numberOrText(String name) {
    JsonNode value = required(name);
    Long number = number(value);
    if (number != null) {
      return number;
    }
    if (!value.isTextual()) {
      throw wrong(name, "is neither a number nor a text");
    }
    return value.textValue();
  }

  /** An object; null where there is none. */
  @Nullable JsonFields object(String name) {
    JsonNode value = optional(name);
    if (value == null) {
      return null;
    }
    if (value instanceof ObjectNode object) {
      return new JsonFields(object, path(name));
    }
    throw wrong(name, "is no object");
  }

  /** A list of objects; empty where there is none. */
  List<JsonFields> objects(String name, int most) {
    JsonNode value = optional(name);
    if (value == null) {
      return List.of();
    }
    if (!value.isArray() || value.size() > most) {
      throw wrong(name, "is no list of at most " + most);
    }
    List<JsonFields> objects = new ArrayList<>();
    for (JsonNode element : value) {
      String place = path(name) + "[" + objects.size() + "]";
      if (!(element instanceof ObjectNode object)) {
        throw RefusedException.wrong(place + ": is no object");
      }
      objects.add(new JsonFields(object, place));
    }
    return objects;
  }

  /** Fields that a client sends back as it has read them; their values change nothing. */
  void ignore(Set<String> names) {
    read.addAll(names);
  }

  /** Refuses what nobody asked for, since it is most likely misspelt. */
  void end() {
    node.fieldNames()
        .forEachRemaining(
            name -> {
              if (!read.contains(name)) {
                throw wrong(Shown.text(name), "there is no such field here");
              }
            });
  }
}
