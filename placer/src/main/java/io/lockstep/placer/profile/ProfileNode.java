package io.lockstep.placer.profile;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.placer.space.HeaderField;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One mapping of a profile's document, which knows its path for complaints. */
final class ProfileNode {
  private static final int LONGEST = 200;
  private final String file;
  private final String path;
  private final JsonNode node;

  private ProfileNode(String file, String path, JsonNode node) {
    this.file = file;
    this.path = path;
    this.node = node;
  }

  /** A mapping with no keys but these. */
  static ProfileNode of(String file, String path, JsonNode node, Set<String> keys)
      throws ProfileException {
    ProfileNode made = new ProfileNode(file, path, node);
    if (!node.isObject()) {
      throw new ProfileException(file, path, "keys are expected here", "write 'key: value' lines");
    }
    for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!keys.contains(name)) {
        throw made.wrong(name, "unknown key", "known keys: " + String.join(", ", keys));
      }
    }
    return made;
  }

  private String at(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  ProfileException wrong(String key, String problem, String remedy) {
    return new ProfileException(file, at(key), problem, remedy);
  }

  private @Nullable JsonNode value(String key) {
    JsonNode value = node.get(key);
    return value == null || value.isNull() ? null : value;
  }

  boolean has(String key) {
    return value(key) != null;
  }

  String text(String key, @Nullable String fallback) throws ProfileException {
    JsonNode value = value(key);
    if (value == null && fallback != null) {
      return fallback;
    }
    if (value == null || !value.isValueNode() || value.asText().length() > LONGEST) {
      throw wrong(key, value == null ? "missing" : "not a short text", "give it a text");
    }
    return value.asText();
  }

  boolean flag(String key, boolean fallback) throws ProfileException {
    JsonNode value = value(key);
    if (value != null && !value.isBoolean()) {
      throw wrong(key, "'" + value.asText() + "'", "give true or false");
    }
    return value == null ? fallback : value.booleanValue();
  }

  int number(String key, @Nullable Integer fallback, int min, int max) throws ProfileException {
    JsonNode value = value(key);
    if (value == null && fallback != null) {
      return fallback;
    }
    String remedy = "give a whole number from " + min + " to " + max;
    if (value == null) {
      throw wrong(key, "missing", remedy);
    }
    if (!value.isInt() || value.intValue() < min || value.intValue() > max) {
      throw wrong(key, "'" + value + "'", remedy);
    }
    return value.intValue();
  }

  <T extends Enum<T>> T choice(String key, @Nullable T fallback, T[] choices)
      throws ProfileException {
    String text = text(key, fallback == null ? null : label(fallback));
    List<String> labels = new ArrayList<>();
    for (T choice : choices) {
      if (label(choice).equals(text)) {
        return choice;
      }
      labels.add(label(choice));
    }
    throw wrong(key, "'" + text + "'", "give one of " + String.join(", ", labels));
  }

  private static String label(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  List<String> texts(String key) throws ProfileException {
    List<String> texts = new ArrayList<>();
    JsonNode value = value(key);
    if (value != null && !value.isArray()) {
      throw wrong(key, "'" + value.asText() + "'", "write a list: [a, b]");
    }
    for (JsonNode item : value == null ? List.<JsonNode>of() : value) {
      texts.add(item.asText());
    }
    return texts;
  }

  /** A set of fields, or {@code fallback} where the key is not there. */
  int fields(String key, int fallback) throws ProfileException {
    int fields = 0;
    for (String text : texts(key)) {
      fields |= fields(key, text);
    }
    return has(key) ? fields : fallback;
  }

  /** One name; {@code ipv6_src} and {@code ipv6_dst} stand for both of their words. */
  int fields(String key, String text) throws ProfileException {
    int fields = 0;
    for (HeaderField field : HeaderField.values()) {
      if (field.label().equals(text) || field.label().startsWith(text + "_")) {
        fields |= field.label().equals(text) || text.startsWith("ipv6_") ? field.bit() : 0;
      }
    }
    if (fields == 0) {
      throw wrong(key, "'" + text + "' is no field", "fields: " + HeaderField.labels(-1));
    }
    return fields;
  }

  /** The mappings of a list. */
  List<ProfileNode> list(String key, Set<String> keys) throws ProfileException {
    List<ProfileNode> nodes = new ArrayList<>();
    JsonNode value = value(key);
    if (value != null && !value.isArray()) {
      throw wrong(key, "'" + value.asText() + "'", "begin each item with '- '");
    }
    for (JsonNode item : value == null ? List.<JsonNode>of() : value) {
      nodes.add(of(file, at(key) + "[" + nodes.size() + "]", item, keys));
    }
    return nodes;
  }

  /** A mapping within this one; empty where the key is not there. */
  ProfileNode child(String key, Set<String> keys) throws ProfileException {
    JsonNode value = value(key);
    if (value == null) {
      throw wrong(key, "missing", "known keys in it: " + String.join(", ", keys));
    }
    return of(file, at(key), value, keys);
  }

  /** The keys of a mapping from fields to words. */
  List<String> keys(String key) throws ProfileException {
    List<String> names = new ArrayList<>();
    JsonNode value = value(key);
    if (value != null && !value.isObject()) {
      throw wrong(key, "'" + value.asText() + "'", "write 'field: exact' lines");
    }
    if (value != null) {
      value.fieldNames().forEachRemaining(names::add);
    }
    return names;
  }
}
