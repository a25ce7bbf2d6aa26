package io.lockstep.deploy.admin;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names under which the admin HTTP may be asked. A page of a foreign site whose name was made
 * to resolve to this machine (DNS rebinding) reaches the port, but its browser sends the page's own
 * name as {@code Host}; a form of a foreign page names its site as {@code Origin}. Thread-safe.
 */
final class OwnNames {
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(\\.(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])){3}|\\[::1]");
  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9a-f:.]+]|[^:\\[\\]]+)(:[0-9]{1,5})?");

  /** A page's name resolves to an address and never is one, so no page asks under one. */
  private static final Pattern ADDRESS =
      Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|\\[[0-9a-f:.]+]");

  private final Set<String> names = new HashSet<>();
  private final Pattern always;

  /** A client names the same host in each request, so this one needs no new look; null at first. */
  private volatile @Nullable String lastIncluded;

  /**
   * Names of loopback and these.
   *
   * @param more host names or addresses, without a port
   */
  OwnNames(List<String> more) {
    this(more, LOOPBACK);
  }

  private OwnNames(List<String> more, Pattern always) {
    this.always = always;
    for (String name : more) {
      String lower = name.toLowerCase(Locale.ROOT);
      names.add(lower.contains(":") ? "[" + lower + "]" : lower);
    }
  }

  /** Addresses of all kinds, localhost and these, for a listener that other machines reach. */
  static OwnNames ofRemote(List<String> more) {
    List<String> all = new ArrayList<>(more);
    all.add("localhost");
    return new OwnNames(all, ADDRESS);
  }

  /**
   * Whether a {@code Host} is one of them (RFC 9110 section 7.2).
   *
   * @param host with or without a port; null where there is none
   */
  boolean includes(@Nullable String host) {
    if (host == null) {
      return false;
    }
    if (host.equals(lastIncluded)) {
      return true;
    }
    if (!isIncluded(host)) {
      return false;
    }
    lastIncluded = host;
    return true;
  }

  private boolean isIncluded(String host) {
    var parts = HOST.matcher(host.toLowerCase(Locale.ROOT));
    if (!parts.matches()) {
      return false;
    }
    String name = parts.group(1);
    return always.matcher(name).matches() || names.contains(name);
  }

  /**
   * Whether a request may change something: it names no origin, so it does not come from a page
   * (RFC 6454 section 7.3), or the one that was asked.
   *
   * @param scheme of the listener that was asked
   * @param host one that is included
   */
  static boolean mayChange(String scheme, String host, List<String> origins) {
    String own = scheme + "://" + host;
    return origins.stream().allMatch(own::equalsIgnoreCase);
  }
}
