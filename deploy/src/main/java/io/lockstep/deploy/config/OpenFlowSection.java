package io.lockstep.deploy.config;

import io.lockstep.deploy.config.NodeSettings.ListedCertificate;
import io.lockstep.deploy.config.NodeSettings.Network;
import io.lockstep.deploy.config.NodeSettings.OpenFlow;
import io.lockstep.deploy.config.NodeSettings.PlainSwitches;
import io.lockstep.keys.Fingerprint;
import io.lockstep.yaml.Section;
import io.lockstep.yaml.YamlTree;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.onlab.packet.IpAddress;

/** Reads the section {@code openflow}: where switches connect, and which may do so without TLS. */
final class OpenFlowSection {
  /** Items of {@code plain}, and of each list in it; a connection is compared with all of them. */
  private static final int MAX_ITEMS = 1_000;

  /** Addresses only: a name could be another machine's tomorrow. */
  private static final Pattern NETWORK =
      Pattern.compile(
          "((?:[0-9]{1,3}\\.){3}[0-9]{1,3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*)(?:/([0-9]{1,3}))?");

  private static final String FINGERPRINTS = "fingerprints";
  private static final String SHA_REMEDY =
      "write what openssl x509 -noout -fingerprint -sha256 prints: 64 hexadecimal digits, in"
          + " quotation marks";

  private OpenFlowSection() {}

  static OpenFlow read(Section root) {
    Section section = root.section("openflow");
    // Who did not think of it yet is not reached from elsewhere.
    boolean open = SecuritySection.isDecided(root) || section.has("plain");
    String host =
        section.text(
            "host",
            open ? "0.0.0.0" : "127.0.0.1",
            SettingsReader.HOST,
            SettingsReader.HOST_REMEDY);
    int port = section.number("port", 6653, 1, 65_535, "TCP port");
    List<PlainSwitches> plain = new ArrayList<>();
    List<Section> items = section.sections("plain");
    if (items.size() > MAX_ITEMS) {
      section.complain("plain", items.size() + " items", "give at most " + MAX_ITEMS);
      items = List.of();
    }
    items.forEach(item -> plain.add(plain(item)));
    List<ListedCertificate> listed = listed(section, root.has("keys"));
    section.finish();
    return new OpenFlow(host, port, plain, listed);
  }

  private static List<ListedCertificate> listed(Section section, boolean hasKeys) {
    List<ListedCertificate> listed = new ArrayList<>();
    List<Section> items = section.sections(FINGERPRINTS);
    if (items.size() > MAX_ITEMS) {
      section.complain(FINGERPRINTS, items.size() + " items", "give at most " + MAX_ITEMS);
      return listed;
    }
    if (!items.isEmpty() && !hasKeys) {
      section.complain(
          FINGERPRINTS,
          "certificates of switches, but this node has no keys for TLS",
          "write 'keys: {directory: keys}', too");
    }
    Set<Fingerprint> seen = new HashSet<>();
    for (Section item : items) {
      Fingerprint fingerprint =
          Fingerprint.parse(
              item.requiredText("sha256", "0".repeat(64), Fingerprint.WRITTEN, SHA_REMEDY));
      List<SwitchRange> switches = switches(item);
      if (!seen.add(fingerprint)) {
        item.complain("sha256", "it is there twice", "list all switches of it in one item");
      }
      item.finish();
      listed.add(new ListedCertificate(fingerprint, switches));
    }
    return listed;
  }

  private static List<SwitchRange> switches(Section item) {
    List<SwitchRange> switches = new ArrayList<>();
    for (YamlTree.Scalar each : item.scalars("switches")) {
      DatapathIds.read(item, each).ifPresent(switches::add);
    }
    complete(item, "switches", switches.size(), "list datapath ids in hexadecimal: [1-8, ff]");
    return switches;
  }

  private static PlainSwitches plain(Section item) {
    List<SwitchRange> switches = switches(item);
    List<Network> networks = new ArrayList<>();
    for (YamlTree.Scalar each : item.scalars("addresses")) {
      Optional<Network> network = network(each.text());
      if (network.isPresent()) {
        networks.add(network.get());
      } else {
        item.complainAt(
            each.place(),
            "addresses",
            "'" + each.text() + "' is no address or network",
            "write an IP address (10.0.0.7), or a network (10.0.0.0/24)");
      }
    }
    complete(item, "addresses", networks.size(), "list addresses or networks: [10.0.0.0/24]");
    item.finish();
    return new PlainSwitches(switches, networks);
  }

  private static void complete(Section item, String key, int size, String remedy) {
    if (size == 0) {
      item.complain(key, "nothing", remedy);
    } else if (size > MAX_ITEMS) {
      item.complain(key, size + " items", "give at most " + MAX_ITEMS);
    }
  }

  private static Optional<Network> network(String text) {
    Matcher matcher = NETWORK.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      InetAddress address = IpAddress.valueOf(matcher.group(1)).toInetAddress();
      int all = 8 * address.getAddress().length;
      int bits = matcher.group(2) == null ? all : Integer.parseInt(matcher.group(2));
      return bits > all ? Optional.empty() : Optional.of(new Network(address, bits));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
