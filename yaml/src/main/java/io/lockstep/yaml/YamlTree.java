package io.lockstep.yaml;

import java.util.List;

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
}
