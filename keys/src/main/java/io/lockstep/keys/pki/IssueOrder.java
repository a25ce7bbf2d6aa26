package io.lockstep.keys.pki;

import io.lockstep.keys.KeysException;
import io.lockstep.keys.PeerIdentity;
import io.lockstep.keys.PeerRole;
import java.util.List;

/**
 * What a certificate is to say.
 *
 * @param hosts host names and IP addresses of the owner, for programs that compare them; may be
 *     empty
 * @param dpids datapath ids, of a switch at least one
 * @param days how long it is valid, 1 to {@value #MAX_DAYS}
 */
public record IssueOrder(
    PeerRole role, String name, List<String> hosts, List<Long> dpids, int days) {
  /** Days of a certificate where nothing else is said. */
  public static final int USUAL_DAYS = 365;

  static final int MAX_DAYS = 3650;
  private static final int MAX_HOSTS = 32;
  private static final String HOST = "[A-Za-z0-9._:-]{1,253}";

  public IssueOrder {
    hosts = List.copyOf(hosts);
    dpids = List.copyOf(dpids);
  }

  /**
   * Checks all parts.
   *
   * @throws KeysException where one is out of its bounds, with the remedy
   */
  void check() throws KeysException {
    requireName(name, "name");
    for (String host : hosts) {
      if (!host.matches(HOST)) {
        throw new KeysException(
            "'" + host + "' is no host name and no IP address", "give one, such as 10.0.0.1");
      }
    }
    if (hosts.size() > MAX_HOSTS) {
      throw new KeysException(hosts.size() + " hosts", "give " + MAX_HOSTS + " at most");
    }
    boolean isSwitch = role == PeerRole.SWITCH;
    if (isSwitch && (dpids.isEmpty() || dpids.size() > PeerIdentity.MAX_DPIDS)) {
      throw new KeysException(
          "the certificate of a switch needs 1 to "
              + PeerIdentity.MAX_DPIDS
              + " datapath ids, not "
              + dpids.size(),
          "give --dpid, in hexadecimal");
    }
    if (!isSwitch && !dpids.isEmpty()) {
      throw new KeysException(
          "only switches have datapath ids", "leave --dpid out, or use --role switch");
    }
    requireDays(days, MAX_DAYS);
  }

  static void requireName(String name, String what) throws KeysException {
    if (!name.matches(PeerIdentity.NAME)) {
      throw new KeysException(
          "'" + name + "' is no " + what, "use 1 to 64 letters, digits, dashes, dots, underscores");
    }
  }

  static void requireDays(int days, int most) throws KeysException {
    if (days < 1 || days > most) {
      throw new KeysException(days + " days", "give 1 to " + most);
    }
  }
}
