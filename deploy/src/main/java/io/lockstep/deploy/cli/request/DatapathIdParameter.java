package io.lockstep.deploy.cli.request;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A datapath id on the command line, as people write it. */
public final class DatapathIdParameter {
  private static final Pattern WRITTEN =
      Pattern.compile("(?:of:|0x)?((?:[0-9a-fA-F]{2}:){7}[0-9a-fA-F]{2}|[0-9a-fA-F]{1,16})");

  private DatapathIdParameter() {}

  /**
   * As nodes write it: 16 lower-case hexadecimal digits.
   *
   * @param given with {@code of:}, {@code 0x} or colons, or without
   * @throws ParameterException where it is none
   */
  public static String parse(CommandSpec spec, String given) {
    Matcher matcher = WRITTEN.matcher(given);
    if (!matcher.matches()) {
      throw new ParameterException(
          spec.commandLine(), given + " is no datapath id: give up to 16 hexadecimal digits");
    }
    String digits = matcher.group(1).replace(":", "").toLowerCase(Locale.ROOT);
    return "0".repeat(16 - digits.length()) + digits;
  }
}
