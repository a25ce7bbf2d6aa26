package io.lockstep.openflow.channel.access;

import io.lockstep.core.cluster.DpidRange;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which connections may be switches. TLS and plain TCP share the port: the first byte
 * of a connection shows which one it is. Immutable.
 */
public final class SwitchAccess {
  private static final SwitchAccess ANYONE = new SwitchAccess(true, null, List.of());

  private final boolean anyone;
  private final @Nullable SwitchTls tls;
  private final List<PlainRule> plain;

  private SwitchAccess(boolean anyone, @Nullable SwitchTls tls, List<PlainRule> plain) {
    this.anyone = anyone;
    this.tls = tls;
    this.plain = List.copyOf(plain);
  }

  /** Every connection may be every switch, without TLS: for loopback, or where it is insecure. */
  public static SwitchAccess anyone() {
    return ANYONE;
  }

  /**
   * Switches that show a certificate, or come from the address that a rule has for them.
   *
   * @param tls null where the node has no keys
   */
  public static SwitchAccess of(@Nullable SwitchTls tls, List<PlainRule> plain) {
    return new SwitchAccess(false, tls, plain);
  }

  /** Whether nothing is asked of a connection. */
  public boolean isAnyone() {
    return anyone;
  }

  /** TLS; null where the node has no keys. */
  public @Nullable SwitchTls tls() {
    return tls;
  }

  /** Why a connection without TLS from this address is refused; null where it may go on. */
  public @Nullable String refusal(InetAddress address) {
    if (anyone || plain.stream().anyMatch(rule -> rule.contains(address))) {
      return null;
    }
    return "it speaks plain TCP, which openflow.plain does not allow from "
        + address.getHostAddress();
  }

  /** Why a connection may not be this switch; null where it may. */
  public @Nullable String refusal(Credential credential, long dpid) {
    if (anyone) {
      return null;
    }
    if (credential instanceof Credential.Certificate certificate) {
      return covers(certificate.switches(), dpid)
          ? null
          : "its certificate ("
              + certificate.name()
              + ") is for "
              + describe(certificate.switches())
              + ", and it says to be switch "
              + Long.toHexString(dpid);
    }
    InetAddress address = ((Credential.Address) credential).address();
    boolean isAllowed =
        plain.stream().anyMatch(rule -> rule.contains(address) && rule.switches().contains(dpid));
    return isAllowed
        ? null
        : "openflow.plain does not allow switch "
            + Long.toHexString(dpid)
            + " without TLS from "
            + address.getHostAddress();
  }

  private static boolean covers(List<DpidRange> ranges, long dpid) {
    return ranges.stream().anyMatch(range -> range.contains(dpid));
  }

  private static String describe(List<DpidRange> ranges) {
    return ranges.isEmpty()
        ? "no switch"
        : ranges.stream().map(DpidRange::toString).collect(Collectors.joining(", ", "switch ", ""));
  }
}
