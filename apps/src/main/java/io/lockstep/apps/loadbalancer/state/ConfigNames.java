package io.lockstep.apps.loadbalancer.state;

import io.lockstep.store.Bytes;

/** ConfigNames of virtual IPs, pools and members, which are the keys of their tables. */
public final class ConfigNames {
  /** Characters at most. */
  public static final int MOST_CHARS = 48;

  /** What a name must match. */
  public static final String PATTERN = "[a-z0-9][a-z0-9.-]{0,47}";

  /** What a name is, for the operator. */
  public static final String ALLOWED =
      "a name: 1 to 48 of a-z, 0-9, '.' and '-', a letter or digit first";

  private ConfigNames() {}

  /** Whether this is a name: as {@link #PATTERN}, without the cost of one. */
  static boolean isName(String text) {
    int length = text.length();
    if (length == 0 || length > MOST_CHARS) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      if (!plain && (i == 0 || (c != '.' && c != '-'))) {
        return false;
      }
    }
    return true;
  }

  static Bytes key(String name) {
    return Bytes.utf8(name);
  }

  static String of(Bytes key) {
    return key.toUtf8();
  }
}
