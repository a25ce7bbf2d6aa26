package io.lockstep.dataplane.yaml;

import io.lockstep.dataplane.yaml.YamlNode.Mapping;
import io.lockstep.dataplane.yaml.YamlNode.Scalar;
import io.lockstep.dataplane.yaml.YamlNode.Sequence;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one mapping, read one by one. A field that is missing or wrong is recorded as a
 * problem and read as a harmless value, so that all problems of a file are found in one go.
 */
public final class YamlFields {
  /** Read where a value was missing or wrong, and reported. */
  public static final String UNREADABLE = "?";

  private final Mapping mapping;
  private final List<Problem> problems;
  private final Set<String> known = new LinkedHashSet<>();

  /**
   * @param problems gets what is wrong with the fields
   */
  public YamlFields(Mapping mapping, List<Problem> problems) {
    this.mapping = mapping;
    this.problems = problems;
  }

  /** Where the mapping begins. */
  public int line() {
    return mapping.line();
  }

  /** Records something that is wrong. */
  public void problem(int line, String what, String remedy) {
    problems.add(new Problem(line, what, remedy));
  }

  /** To be called after all known fields were read. */
  public void refuseOthers() {
    for (String key : mapping.entries().keySet()) {
      if (!known.contains(key)) {
        int line = mapping.keyLines().getOrDefault(key, line());
        problem(line, "unknown key " + key, "use " + String.join(", ", known));
      }
    }
  }

  /** The field as it is; null when it is not there. */
  public @Nullable YamlNode node(String key) {
    known.add(key);
    return mapping.entries().get(key);
  }

  /** The items of a list of mappings; empty when the key is not there. */
  public List<Mapping> mappings(String key) {
    List<Mapping> result = new ArrayList<>();
    YamlNode node = node(key);
    if (node instanceof Sequence list) {
      for (YamlNode item : list.items()) {
        if (item instanceof Mapping each) {
          result.add(each);
        } else {
          problem(
              item.line(), YamlNode.kind(item) + " under " + key, "write each entry as a mapping");
        }
      }
    } else if (node != null) {
      problem(node.line(), key + " is " + YamlNode.kind(node), "make it a list");
    }
    return result;
  }

  private @Nullable Scalar scalar(String key) {
    YamlNode node = node(key);
    if (node == null || node instanceof Scalar) {
      return (Scalar) node;
    }
    problem(node.line(), key + " is " + YamlNode.kind(node), "give it a single value");
    return null;
  }

  /** An optional text. */
  public String text(String key, String otherwise) {
    Scalar scalar = scalar(key);
    return scalar == null ? otherwise : scalar.text();
  }

  /** A text that has to be there; {@link #UNREADABLE} where it is not. */
  public String required(String key) {
    Scalar scalar = scalar(key);
    if (scalar == null && !mapping.entries().containsKey(key)) {
      problem(line(), "no " + key, "add " + key);
    }
    return scalar == null ? UNREADABLE : scalar.text();
  }

  /**
   * An optional value.
   *
   * @param reader throws IllegalArgumentException for a text that it does not take
   */
  public <T> T read(String key, T otherwise, Function<String, T> reader, String remedy) {
    Scalar scalar = scalar(key);
    if (scalar == null) {
      return otherwise;
    }
    try {
      return reader.apply(scalar.text().trim());
    } catch (IllegalArgumentException e) {
      problem(scalar.line(), key + " is " + scalar.text(), remedy);
      return otherwise;
    }
  }

  /** An optional whole number in a range. */
  public int number(String key, int otherwise, int min, int max) {
    return read(
        key,
        otherwise,
        text -> {
          int number = Integer.parseInt(text);
          if (number < min || number > max) {
            throw new IllegalArgumentException(text);
          }
          return number;
        },
        "use a whole number from " + min + " to " + max);
  }

  /** An optional number. */
  public double decimal(String key, double otherwise) {
    return read(key, otherwise, Double::parseDouble, "use a number");
  }

  /** An optional number in a range. */
  public double decimal(String key, double otherwise, double min, double max) {
    return read(
        key,
        otherwise,
        text -> {
          double number = Double.parseDouble(text);
          if (!(number >= min && number <= max)) {
            throw new IllegalArgumentException(text);
          }
          return number;
        },
        "use a number from " + min + " to " + max);
  }

  /** An optional yes or no. */
  public boolean flag(String key, boolean otherwise) {
    return read(
        key,
        otherwise,
        text ->
            switch (text) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException(text);
            },
        "use true or false");
  }

  /** The line of a field, or of the mapping where it is not there. */
  public int lineOf(String key) {
    return mapping.keyLines().getOrDefault(key, line());
  }

  /** Whether the field is there at all. */
  public boolean has(String key) {
    return mapping.entries().containsKey(key);
  }

  /** The fields of a mapping below this one; null when it is not there. */
  public @Nullable YamlFields below(String key) {
    YamlNode node = node(key);
    if (node == null || node instanceof Mapping) {
      return node == null ? null : new YamlFields((Mapping) node, problems);
    }
    problem(node.line(), key + " is " + YamlNode.kind(node), "make it a mapping");
    return null;
  }

  /** The items of a list of values; empty when the key is not there. */
  public List<Scalar> scalars(String key) {
    List<Scalar> result = new ArrayList<>();
    YamlNode node = node(key);
    if (node instanceof Sequence list) {
      for (YamlNode item : list.items()) {
        if (item instanceof Scalar each) {
          result.add(each);
        } else {
          problem(item.line(), YamlNode.kind(item) + " under " + key, "use single values");
        }
      }
    } else if (node != null) {
      problem(node.line(), key + " is " + YamlNode.kind(node), "make it a list");
    }
    return result;
  }
}
