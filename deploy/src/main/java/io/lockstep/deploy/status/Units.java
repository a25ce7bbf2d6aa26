package io.lockstep.deploy.status;

/** Amounts for people. Pure; a negative amount is unknown and becomes a dash. */
public final class Units {
  private static final String[] PREFIXES = {"", "Ki", "Mi", "Gi", "Ti", "Pi"};

  private Units() {}

  /** A time since a start: seconds, then minutes, then hours. */
  public static String uptime(long millis) {
    long seconds = millis / 1000;
    if (millis < 0) {
      return "-";
    }
    if (seconds < 120) {
      return seconds + " s";
    }
    return seconds < 7200 ? seconds / 60 + " min" : seconds / 3600 + " h";
  }

  /** An age, with tenths of a second where it is short. */
  public static String seconds(long millis) {
    if (millis < 0) {
      return "-";
    }
    return millis < 10_000 ? millis / 1000 + "." + millis % 1000 / 100 + " s" : uptime(millis);
  }

  /** Bytes in the largest unit that leaves a whole number. */
  public static String bytes(long bytes) {
    if (bytes < 0) {
      return "-";
    }
    long rest = bytes;
    int prefix = 0;
    while (rest >= 10 * 1024 && prefix < PREFIXES.length - 1) {
      rest /= 1024;
      prefix++;
    }
    return rest + " " + PREFIXES[prefix] + "B";
  }

  /** A share. */
  public static String percent(long percent) {
    return percent < 0 ? "-" : percent + " %";
  }
}
