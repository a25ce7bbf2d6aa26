package io.lockstep.deploy.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads one mapping of the file key by key and remembers what was asked for, so that {@link
 * #finish} can complain of every other key. A wrong value is told and replaced by a stand-in, so
 * that reading goes on and all problems appear at once. Used by one thread.
 */
final class Section {
  private final String path;
  private final Place place;
  private final List<Problem> problems;
  private final Map<String, YamlTree.Member> members = new LinkedHashMap<>();
  private final Set<String> asked = new LinkedHashSet<>();

  private Section(String path, Place place, List<Problem> problems) {
    this.path = path;
    this.place = place;
    this.problems = problems;
  }

  static Section of(String path, @Nullable YamlTree node, Place place, List<Problem> problems) {
    Section section = new Section(path, node == null ? place : node.place(), problems);
    if (node instanceof YamlTree.Mapping mapping) {
      Set<String> doubled = new HashSet<>();
      for (YamlTree.Member member : mapping.members()) {
        if (section.members.putIfAbsent(member.key(), member) != null
            && doubled.add(member.key())) {
          section.add(member.place(), member.key(), "given twice", "keep one of the two");
        }
      }
    } else if (node != null && !(node instanceof YamlTree.Empty)) {
      problems.add(
          new Problem(
              node.place(), path, "keys are expected here", "write it as 'key: value' lines"));
    }
    return section;
  }

  private void add(Place where, String key, String message, String remedy) {
    problems.add(new Problem(where, child(key), message, remedy));
  }

  private String child(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  /** Complains at a key's value, or at the section where the key is not there. */
  void complain(String key, String message, String remedy) {
    YamlTree.Member member = members.get(key);
    add(member == null ? place : member.value().place(), key, message, remedy);
  }

  /** Whether there was nothing to complain of in the whole file so far. */
  boolean isSound() {
    return problems.isEmpty();
  }

  Place placeOf(String key) {
    YamlTree.Member member = members.get(key);
    return member == null ? place : member.value().place();
  }

  boolean has(String key) {
    return value(key) != null;
  }

  private @Nullable YamlTree value(String key) {
    asked.add(key);
    YamlTree.Member member = members.get(key);
    return member == null || member.value() instanceof YamlTree.Empty ? null : member.value();
  }

  private @Nullable String scalar(String key) {
    YamlTree value = value(key);
    if (value == null) {
      return null;
    }
    if (value instanceof YamlTree.Scalar scalar) {
      return scalar.text();
    }
    complain(key, "one value is expected here", "write it as '" + key + ": value'");
    return null;
  }

  /** A text that matches {@code pattern}. */
  String text(String key, String fallback, String pattern, String remedy) {
    String text = scalar(key);
    if (text == null) {
      return fallback;
    }
    if (!text.matches(pattern)) {
      complain(key, "'" + text + "' is not allowed", remedy);
      return fallback;
    }
    return text;
  }

  /** As {@link #text}, for a key that must be there. */
  String requiredText(String key, String standIn, String pattern, String remedy) {
    if (!has(key)) {
      missing(key, remedy);
      return standIn;
    }
    return text(key, standIn, pattern, remedy);
  }

  private void missing(String key, String remedy) {
    add(place, key, "missing", remedy);
  }

  /** A whole decimal number within bounds. */
  int number(String key, int fallback, int min, int max, String unit) {
    String text = scalar(key);
    if (text == null) {
      return fallback;
    }
    String remedy =
        "give a whole number from "
            + min
            + " to "
            + max
            + (unit.isEmpty() ? "" : " (" + unit + ")");
    try {
      int number = Integer.parseInt(text);
      if (number < min || number > max) {
        complain(key, number + " is out of bounds", remedy);
        return fallback;
      }
      return number;
    } catch (NumberFormatException e) {
      complain(key, "'" + text + "' is not a whole number", remedy);
      return fallback;
    }
  }

  /** A section within this one; empty where it is not there. */
  Section section(String key) {
    return of(child(key), value(key), placeOf(key), problems);
  }

  /** The items of a list as sections. */
  List<Section> sections(String key) {
    List<Section> sections = new ArrayList<>();
    int i = 0;
    for (YamlTree item : items(key)) {
      sections.add(of(child(key) + "[" + i++ + "]", item, item.place(), problems));
    }
    return sections;
  }

  /** The items of a list of plain values. */
  List<YamlTree.Scalar> scalars(String key) {
    List<YamlTree.Scalar> scalars = new ArrayList<>();
    int i = 0;
    for (YamlTree item : items(key)) {
      if (item instanceof YamlTree.Scalar scalar) {
        scalars.add(scalar);
      } else {
        problems.add(
            new Problem(
                item.place(),
                child(key) + "[" + i + "]",
                "one value is expected here",
                "write the list as [a, b, c]"));
      }
      i++;
    }
    return scalars;
  }

  private List<YamlTree> items(String key) {
    YamlTree value = value(key);
    if (value == null) {
      return List.of();
    }
    if (value instanceof YamlTree.Sequence sequence) {
      return sequence.items();
    }
    complain(key, "a list is expected here", "begin each item with '- '");
    return List.of();
  }

  /** Complains of a place within a list of this section. */
  void complainAt(Place where, String key, String message, String remedy) {
    add(where, key, message, remedy);
  }

  /** Complains of every key that nobody asked for. */
  void finish() {
    finish("unknown key", "known keys here: ");
  }

  /**
   * The same in other words.
   *
   * @param remedyBeforeKeys the keys that are known here follow it
   */
  void finish(String message, String remedyBeforeKeys) {
    for (YamlTree.Member member : members.values()) {
      if (!asked.contains(member.key())) {
        String remedy =
            Suggestion.nearest(member.key(), asked)
                .map(near -> "did you mean '" + near + "'?")
                .orElse(remedyBeforeKeys + String.join(", ", asked));
        add(member.place(), member.key(), message, remedy);
      }
    }
  }
}
