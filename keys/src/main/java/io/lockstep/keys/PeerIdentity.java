package io.lockstep.keys;

import java.math.BigInteger;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whom a certificate names: one URI {@code lockstep://CLUSTER/ROLE/NAME} among its alternative
 * names (RFC 5280, 4.2.1.6), and for switches one {@code lockstep://CLUSTER/dpid/DPID} for each
 * datapath id. Host names and addresses beside them do not matter here. Immutable.
 *
 * @param dpids of a switch, ascending as the certificate lists them; empty for others
 * @param serial of the certificate, unique in the cluster
 */
public record PeerIdentity(
    String cluster,
    PeerRole role,
    String name,
    List<Long> dpids,
    BigInteger serial,
    Instant notBefore,
    Instant notAfter) {

  /** What a cluster or the owner of a certificate may be called. */
  public static final String NAME = "[A-Za-z0-9][A-Za-z0-9_.-]{0,63}";

  /** Datapath ids in one certificate. */
  public static final int MAX_DPIDS = 64;

  private static final int URI = 6;
  private static final int MAX_NAMES = 256;
  private static final String SCHEME = "lockstep://";
  private static final Pattern OWNER =
      Pattern.compile(SCHEME + "(" + NAME + ")/([a-z]+)/(" + NAME + ")");
  private static final Pattern DATAPATH =
      Pattern.compile(SCHEME + "(" + NAME + ")/dpid/([0-9a-f]{16})");

  public PeerIdentity {
    dpids = List.copyOf(dpids);
  }

  /** The URI of an owner. */
  public static String uri(String cluster, PeerRole role, String name) {
    return SCHEME + cluster + "/" + role.word() + "/" + name;
  }

  /** The URI of a switch's datapath id. */
  public static String dpidUri(String cluster, long dpid) {
    return SCHEME + cluster + "/dpid/" + String.format(Locale.ROOT, "%016x", dpid);
  }

  /**
   * Reads whom a certificate names. Does not check whether the certificate counts.
   *
   * @throws RefusedPeerException where it names no one, or more than one
   */
  public static PeerIdentity of(X509Certificate certificate) throws RefusedPeerException {
    PeerIdentity found = null;
    List<Long> dpids = new ArrayList<>();
    String dpidCluster = null;
    for (String uri : uris(certificate)) {
      Matcher dpid = DATAPATH.matcher(uri);
      Matcher owner = OWNER.matcher(uri);
      if (dpid.matches()) {
        if (dpidCluster != null && !dpidCluster.equals(dpid.group(1))) {
          throw noIdentity("names datapath ids of two clusters");
        }
        dpidCluster = dpid.group(1);
        dpids.add(Long.parseUnsignedLong(dpid.group(2), 16));
      } else if (owner.matches()) {
        Optional<PeerRole> role = PeerRole.of(owner.group(2));
        if (found != null || role.isEmpty()) {
          throw noIdentity(found != null ? "names two owners" : "names an unknown role");
        }
        found = identity(certificate, owner.group(1), role.get(), owner.group(3));
      }
    }
    return complete(found, dpids, dpidCluster);
  }

  private static PeerIdentity complete(
      @Nullable PeerIdentity found, List<Long> dpids, @Nullable String dpidCluster)
      throws RefusedPeerException {
    if (found == null) {
      throw noIdentity("names no node, switch or person of Lockstep");
    }
    boolean isSwitch = found.role == PeerRole.SWITCH;
    if (dpids.size() > MAX_DPIDS
        || dpids.isEmpty() == isSwitch
        || (dpidCluster != null && !dpidCluster.equals(found.cluster))) {
      throw noIdentity("has datapath ids that do not fit its owner");
    }
    return new PeerIdentity(
        found.cluster,
        found.role,
        found.name,
        dpids,
        found.serial,
        found.notBefore,
        found.notAfter);
  }

  private static PeerIdentity identity(
      X509Certificate certificate, String cluster, PeerRole role, String name) {
    return new PeerIdentity(
        cluster,
        role,
        name,
        List.of(),
        certificate.getSerialNumber(),
        certificate.getNotBefore().toInstant(),
        certificate.getNotAfter().toInstant());
  }

  private static List<String> uris(X509Certificate certificate) throws RefusedPeerException {
    Collection<List<?>> names;
    try {
      names = certificate.getSubjectAlternativeNames();
    } catch (CertificateParsingException e) {
      throw noIdentity("has alternative names that cannot be read");
    }
    if (names == null) {
      return List.of();
    }
    if (names.size() > MAX_NAMES) {
      throw noIdentity("has more than " + MAX_NAMES + " alternative names");
    }
    return names.stream()
        .filter(name -> name.get(0) instanceof Integer kind && kind == URI)
        .map(name -> String.valueOf(name.get(1)))
        .toList();
  }

  private static RefusedPeerException noIdentity(String what) {
    return new RefusedPeerException(
        LinkRefusal.NO_IDENTITY,
        "its certificate " + what + ": make one with ./lockstep pki issue");
  }

  /** The serial number as the command line writes it. */
  public String serialText() {
    return serial.toString(16);
  }

  /** Role and name, such as {@code node n1}. */
  @Override
  public String toString() {
    return role.word() + " " + name;
  }
}
