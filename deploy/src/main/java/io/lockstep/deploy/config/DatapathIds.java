package io.lockstep.deploy.config;

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
    Matcher matcher = RANGE.matcher(item.text());
    if (!matcher.matches()) {
      section.complainAt(
          item.place(),
          "switches",
          "'" + item.text() + "' is not a datapath id",
          "write up to 16 hexadecimal digits (1f, of:000000000000001f), or a range (1-1f)");
      return Optional.empty();
    }
    long first = parse(matcher.group(1));
    long last = matcher.group(2) == null ? first : parse(matcher.group(2));
    if (Long.compareUnsigned(last, first) < 0) {
      section.complainAt(
          item.place(),
          "switches",
          "'" + item.text() + "' is an empty range",
          "write the smaller id first; ids are hexadecimal");
      return Optional.empty();
    }
    return Optional.of(new SwitchRange(first, last));
  }

  private static long parse(String hex) {
    return Long.parseUnsignedLong(hex.replace(":", ""), 16);
  }
}
