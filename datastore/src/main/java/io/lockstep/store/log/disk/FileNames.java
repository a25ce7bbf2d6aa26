package io.lockstep.store.log.disk;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names in a data directory.
 *
 * <p>A log starts over when a snapshot from a peer replaces its whole content; this begins the next
 * generation. Names carry the generation, so that the files of both can lie side by side during the
 * replacement.
 */
final class FileNames {
  static final String LOCK = "lock";
  static final String PROMISE = "promise";
  static final String STARTS = "starts";
  static final String VERSION = "version";

  /** The suffix of incomplete files, which are never read. */
  static final String TEMPORARY = ".tmp";

  private static final Pattern NUMBERED = Pattern.compile("(log|snapshot)-([0-9]{6})-([0-9]{19})");
  private static final Pattern ASIDE = Pattern.compile("set-aside-([0-9]{6})\\..+");

  private FileNames() {}

  /**
   * A segment or a snapshot.
   *
   * @param name the whole name
   * @param generation how often the log started over before
   * @param instance the first one of a segment, the last one of a snapshot
   */
  record NumberedFile(String name, boolean snapshot, int generation, long instance) {}

  static String segment(int generation, long first) {
    return numbered("log", generation, first);
  }

  static String snapshot(int generation, long instance) {
    return numbered("snapshot", generation, instance);
  }

  private static String numbered(String kind, int generation, long instance) {
    return String.format(Locale.ROOT, "%s-%06d-%019d", kind, generation, instance);
  }

  static @Nullable NumberedFile parse(String name) {
    Matcher matcher = NUMBERED.matcher(name);
    if (!matcher.matches()) {
      return null;
    }
    try {
      return new NumberedFile(
          name,
          matcher.group(1).equals("snapshot"),
          Integer.parseInt(matcher.group(2)),
          Long.parseLong(matcher.group(3)));
    } catch (NumberFormatException tooLarge) {
      return null;
    }
  }

  static String setAside(int number, String name) {
    return String.format(Locale.ROOT, "set-aside-%06d.%s", number, name);
  }

  /** The number of a file that was set aside, or -1. */
  static int setAsideNumber(String name) {
    Matcher matcher = ASIDE.matcher(name);
    return matcher.matches() && !isTemporary(name) ? Integer.parseInt(matcher.group(1)) : -1;
  }

  /** Whether a file of a log was never completed. */
  static boolean isTemporary(String name) {
    return name.endsWith(TEMPORARY)
        && (name.startsWith("log-")
            || name.startsWith("snapshot-")
            || name.startsWith(PROMISE)
            || name.startsWith(STARTS)
            || name.startsWith(VERSION)
            || name.startsWith("set-aside-"));
  }
}
