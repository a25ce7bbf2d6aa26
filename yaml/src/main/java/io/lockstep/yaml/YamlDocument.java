package io.lockstep.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The one document of a text, and all that is wrong with it so far. Used by one thread. */
public final class YamlDocument {
  private final List<Problem> problems = new ArrayList<>();
  private final List<ReadValue> values = new ArrayList<>();
  private final @Nullable YamlTree tree;

  private YamlDocument(String text) {
    tree = YamlReader.read(text, problems);
  }

  /** Reads a text. Whether it is YAML, {@link #isReadable} says. */
  public static YamlDocument parse(String text) {
    return new YamlDocument(text);
  }

  /**
   * Whether the text is YAML within the bounds; else {@link #problems} says why, and no key is
   * there.
   */
  public boolean isReadable() {
    return tree != null;
  }

  /** The keys of the document; it complains where the document is a list or a single value. */
  public Section root() {
    return Section.of("", tree, Place.TOP, problems, values);
  }

  /**
   * What was read so far, in the order in which it was; a key that was read twice is there twice.
   */
  public List<ReadValue> values() {
    return List.copyOf(values);
  }

  /** Adds a problem. */
  public void complain(Place place, String path, String message, String remedy) {
    problems.add(new Problem(place, path, message, remedy));
  }

  /** Whether nothing is wrong so far. */
  public boolean isSound() {
    return problems.isEmpty();
  }

  /** What is wrong so far, in the order of the file. */
  public List<Problem> problems() {
    return problems.stream().sorted(Comparator.comparing(Problem::place)).toList();
  }
}
