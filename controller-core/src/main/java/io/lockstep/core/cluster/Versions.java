package io.lockstep.core.cluster;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.onosproject.core.Version;

/** Reads versions like {@code 0.1.0-SNAPSHOT}. */
final class Versions {
  private static final Pattern FORM =
      Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\.(\\d{1,4})(?:[-.](.{1,32}))?");

  private Versions() {}

  /** The version, or null where the text has another form. */
  static @Nullable Version parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    String build = matcher.group(4);
    return Version.version(
        Integer.parseInt(matcher.group(1)),
        Integer.parseInt(matcher.group(2)),
        matcher.group(3),
        build == null ? "" : build);
  }
}
