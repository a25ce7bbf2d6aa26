package io.lockstep.deploy.config;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Datapath ids as written in the file: hexadecimal, one or a range. */
public final class DpidRange {
  /** Switches in one range at most. */
  static final int MAX_SWITCHES = 10_000;

  private static final String ID =
      "(?:of:|0x)?((?:[0-9a-fA-F]{2}:){7}[0-9a-fA-F]{2}|[0-9a-fA-F]{1,16})";
  private static final Pattern RANGE = Pattern.compile(ID + "(?:\\s*-\\s*" + ID + ")?");

  private DpidRange() {}

  /** A datapath id in 16 hexadecimal digits. */
  public static String hex(long dpid) {
    return String.format("%016x", dpid);
  }

  /** The ids of one list item; empty where it is wrong, after complaining. */
  static List<Long> read(Section section, YamlTree.Scalar item) {
    Matcher matcher = RANGE.matcher(item.text());
    if (!matcher.matches()) {
      section.complainAt(
          item.place(),
          "switches",
          "'" + item.text() + "' is not a datapath id",
          "write up to 16 hexadecimal digits (1f, of:000000000000001f), or a range (1-1f)");
      return List.of();
    }
    long first = parse(matcher.group(1));
    long last = matcher.group(2) == null ? first : parse(matcher.group(2));
    if (Long.compareUnsigned(last, first) < 0 || last - first < 0 || last - first >= MAX_SWITCHES) {
      section.complainAt(
          item.place(),
          "switches",
          "'"
              + item.text()
              + "' is an empty range or holds more than "
              + MAX_SWITCHES
              + " switches",
          "write the smaller id first; ids are hexadecimal");
      return List.of();
    }
    List<Long> ids = new ArrayList<>();
    for (long offset = 0; offset <= last - first; offset++) {
      ids.add(first + offset);
    }
    return ids;
  }

  private static long parse(String hex) {
    return Long.parseUnsignedLong(hex.replace(":", ""), 16);
  }
}
