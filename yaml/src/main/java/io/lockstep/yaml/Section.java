package io.lockstep.yaml;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads one mapping of the file key by key and remembers what was asked for, so that {@link
 * #finish} can complain of every other key. A wrong value is reported and replaced by a stand-in,
 * so that reading goes on and all problems appear at once. Used by one thread.
 */
public final class Section {
  /** Characters of a whole number that a long holds in any case; a longer one is out of bounds. */
  private static final int LONGEST_INT = 11;

  private final String path;
  private final Place place;
  private final List<Problem> problems;

  /** What was read of the whole document so far. */
  private final List<ReadValue> values;

  private final Map<String, YamlTree.Member> members = new LinkedHashMap<>();
  private final Set<String> asked = new LinkedHashSet<>();

  private Section(String path, Place place, List<Problem> problems, List<ReadValue> values) {
    this.path = path;
    this.place = place;
    this.problems = problems;
    this.values = values;
  }

  static Section of(
      String path,
      @Nullable YamlTree node,
      Place place,
      List<Problem> problems,
      List<ReadValue> values) {
    Section section = new Section(path, node == null ? place : node.place(), problems, values);
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
  public void complain(String key, String message, String remedy) {
    YamlTree.Member member = members.get(key);
    add(member == null ? place : member.value().place(), key, message, remedy);
  }

  /** Whether there was nothing to complain of in the whole file so far. */
  public boolean isSound() {
    return problems.isEmpty();
  }

  /** Where the section begins. */
  public Place place() {
    return place;
  }

  /** The path of keys that leads here; empty for the whole document. */
  public String path() {
    return path;
  }

  /** Where a key's value begins, or the section where the key is not there. */
  public Place placeOf(String key) {
    YamlTree.Member member = members.get(key);
    return member == null ? place : member.value().place();
  }

  /** Whether the key has a value. */
  public boolean has(String key) {
    return value(key) != null;
  }

  /** Whether the key has this very text, for a word that may stand in the place of a number. */
  public boolean isText(String key, String text) {
    return value(key) instanceof YamlTree.Scalar scalar && scalar.text().equals(text);
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
  public String text(String key, String fallback, String pattern, String remedy) {
    return read(
        key,
        fallback,
        text -> {
          check(text.matches(pattern), "'" + text + "' is not allowed");
          return text;
        },
        remedy);
  }

  /** As {@link #text}, for a key that must be there. */
  public String requiredText(String key, String standIn, String pattern, String remedy) {
    return isMissing(key, remedy) ? standIn : text(key, standIn, pattern, remedy);
  }

  /**
   * A value of the caller's kind.
   *
   * @param reader throws IllegalArgumentException for a text that it does not take
   */
  public <T> T read(String key, T fallback, Function<String, T> reader, String remedy) {
    String text = scalar(key);
    if (text == null) {
      return taken(key, fallback, String.valueOf(fallback));
    }
    try {
      T value = reader.apply(text);
      return taken(key, value, String.valueOf(value));
    } catch (Wrong e) {
      complain(key, e.message, remedy);
    } catch (IllegalArgumentException e) {
      complain(key, "'" + text + "' is not allowed", remedy);
    }
    return fallback;
  }

  /** Notes what was read, and gives it back. */
  private <T> T taken(String key, T value, String text) {
    values.add(new ReadValue(child(key), text, has(key) ? placeOf(key) : Place.NOWHERE));
    return value;
  }

  /** A text is not taken, with what is wrong about it. */
  private static final class Wrong extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;
    final String message;

    Wrong(String message) {
      super(message);
      this.message = message;
    }
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new Wrong(otherwise);
    }
  }

  /** Complains where the key is not there. */
  public void require(String key, String remedy) {
    if (!has(key)) {
      add(place, key, "missing", remedy);
    }
  }

  private boolean isMissing(String key, String remedy) {
    require(key, remedy);
    return !has(key);
  }

  private static String bounds(String kind, Object min, Object max, String unit) {
    String suffix = unit.isEmpty() ? "" : " (" + unit + ")";
    return "give a " + kind + " from " + min + " to " + max + suffix;
  }

  /** A whole decimal number within bounds. */
  public int number(String key, int fallback, int min, int max, String unit) {
    return read(
        key,
        fallback,
        text -> {
          check(text.matches("[+-]?[0-9]+"), "'" + text + "' is not a whole number");
          boolean isShort = text.length() <= LONGEST_INT;
          check(isShort && isWithin(Long.parseLong(text), min, max), text + " is out of bounds");
          return Integer.parseInt(text);
        },
        bounds("whole number", min, max, unit));
  }

  private static boolean isWithin(long number, int min, int max) {
    return number >= min && number <= max;
  }

  /** As {@link #number}, for a key that must be there. */
  public int requiredNumber(String key, int standIn, int min, int max, String unit) {
    return isMissing(key, bounds("whole number", min, max, unit))
        ? standIn
        : number(key, standIn, min, max, unit);
  }

  /** A time in milliseconds. The name of its key ends in {@code Millis}. */
  public int millis(String key, int fallback, int min, int max) {
    return number(key, fallback, min, max, "milliseconds");
  }

  /** A number, which may have a fraction, within bounds. */
  public double decimal(String key, double fallback, double min, double max, String unit) {
    return read(
        key,
        fallback,
        text -> {
          check(
              text.matches("[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]{1,3})?"),
              "'" + text + "' is not a number");
          double number = Double.parseDouble(text);
          check(number >= min && number <= max, text + " is out of bounds");
          return number;
        },
        bounds("number", shown(min), shown(max), unit));
  }

  private static String shown(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1e9
        ? String.valueOf((long) number)
        : String.valueOf(number);
  }

  /** {@code true} or {@code false}. */
  public boolean flag(String key, boolean fallback) {
    return choice(key, fallback, List.of(true, false), String::valueOf);
  }

  /** One of some words. */
  public String choice(String key, String fallback, List<String> words) {
    return choice(key, fallback, words, Function.identity());
  }

  /** One of the constants of an enum, written as {@link #word} says. */
  public <T extends Enum<T>> T choice(String key, T fallback, T[] constants) {
    return choice(key, fallback, List.of(constants), Section::word);
  }

  /** As {@link #choice(String, Enum, Enum[])}, for a key that must be there. */
  public <T extends Enum<T>> T requiredChoice(String key, T standIn, T[] constants) {
    String remedy = words(Arrays.stream(constants).map(Section::word).toList());
    return isMissing(key, remedy) ? standIn : choice(key, standIn, constants);
  }

  private <T> T choice(String key, T fallback, List<T> allowed, Function<T, String> word) {
    String text = scalar(key);
    if (text == null) {
      return taken(key, fallback, word.apply(fallback));
    }
    for (T value : allowed) {
      if (word.apply(value).equals(text)) {
        return taken(key, value, text);
      }
    }
    List<String> words = allowed.stream().map(word).toList();
    complain(
        key,
        "'" + text + "' is not allowed",
        Suggestion.nearest(text, words).map(near -> "did you mean '" + near + "'? ").orElse("")
            + words(words));
    return fallback;
  }

  /** How a constant is written in a file: {@code HARDWARE_FIRST} as {@code hardwareFirst}. */
  public static String word(Enum<?> constant) {
    StringBuilder word = new StringBuilder();
    boolean begins = false;
    for (char letter : constant.name().toCharArray()) {
      if (letter != '_') {
        word.append(begins ? letter : Character.toLowerCase(letter));
      }
      begins = letter == '_';
    }
    return word.toString();
  }

  private static String words(List<String> words) {
    List<String> quoted = words.stream().map(each -> "'" + each + "'").toList();
    int last = quoted.size() - 1;
    return "write "
        + (last == 0 ? "" : String.join(", ", quoted.subList(0, last)) + " or ")
        + quoted.get(last);
  }

  /** The keys that are here, in the order of the file. Each counts as asked for. */
  public List<String> keys() {
    asked.addAll(members.keySet());
    return List.copyOf(members.keySet());
  }

  /** A section within this one; empty where it is not there. */
  public Section section(String key) {
    return of(child(key), value(key), placeOf(key), problems, values);
  }

  /** The items of a list as sections. */
  public List<Section> sections(String key) {
    List<Section> sections = new ArrayList<>();
    int i = 0;
    for (YamlTree item : items(key)) {
      sections.add(of(child(key) + "[" + i++ + "]", item, item.place(), problems, values));
    }
    return sections;
  }

  /** The items of a list of plain values. */
  public List<YamlTree.Scalar> scalars(String key) {
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
    if (!scalars.isEmpty()) {
      List<String> texts = scalars.stream().map(YamlTree.Scalar::text).toList();
      taken(key, texts, String.join(", ", texts));
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
  public void complainAt(Place where, String key, String message, String remedy) {
    add(where, key, message, remedy);
  }

  /** Complains of every key that was not asked for. */
  public void finish() {
    finish("unknown key", "known keys here: ");
  }

  /**
   * The same in other words.
   *
   * @param remedyBeforeKeys the keys that are known here follow it
   */
  public void finish(String message, String remedyBeforeKeys) {
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
