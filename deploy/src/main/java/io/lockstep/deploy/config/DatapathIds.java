package io.lockstep.deploy.config;

import io.lockstep.yaml.Section;
import io.lockstep.yaml.YamlTree;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Datapath ids as written in the file: hexadecimal, one or a range. */
final class DatapathIds {
  private static final String ID =
      "(?:of:|0x)?((?:[0-9a-fA-F]{2}:){7}[0-9a-fA-F]{2}|[0-9a-fA-F]{1,16})";
  private static final Pattern RANGE = Pattern.compile(ID + "(?:\\s*-\\s*" + ID + ")?");

  private DatapathIds() {}

  /** The ids of one list item; empty where it is wrong, after complaining. */
  static Optional<SwitchRange> read(Section section, YamlTree.Scalar item) {
    Optional<SwitchRange> range = parse(item.text());
    if (range.isEmpty()) {
      section.complainAt(
          item.place(),
          "switches",
          "'" + item.text() + "' is not a datapath id",
          "write up to 16 hexadecimal digits (1f, of:000000000000001f), or a range (1-1f)");
      return Optional.empty();
    }
    if (Long.compareUnsigned(range.get().last(), range.get().first()) < 0) {
      section.complainAt(
          item.place(),
          "switches",
          "'" + item.text() + "' is an empty range",
          "write the smaller id first; ids are hexadecimal");
      return Optional.empty();
    }
    return range;
  }

  /** The ids of a text, which may be an empty range; empty where it is neither. */
  static Optional<SwitchRange> parse(String text) {
    Matcher matcher = RANGE.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long first = number(matcher.group(1));
    long last = matcher.group(2) == null ? first : number(matcher.group(2));
    return Optional.of(new SwitchRange(first, last));
  }

  private static long number(String hex) {
    return Long.parseUnsignedLong(hex.replace(":", ""), 16);
  }
}
