package io.lockstep.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lockstep.deploy.config.NodeSettings.ListedCertificate;
import io.lockstep.deploy.config.NodeSettings.Network;
import io.lockstep.deploy.config.NodeSettings.PlainSwitches;
import io.lockstep.deploy.config.SettingsReader.Role;
import io.lockstep.keys.Fingerprint;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.packet.IpAddress;

class OpenFlowSectionTest {
  private static final String NODE =
      """
      cluster: demo
      node: n1
      members:
        - {id: n1, host: 127.0.0.1}
      openflow:
        host: 127.0.0.1
        plain:
      """;

  private static NodeSettings parse(String item) throws ConfigException {
    return SettingsReader.parse("node.yaml", NODE + "    - " + item + "\n", Role.NODE);
  }

  private static ConfigException refused(String item) {
    return catchThrowableOfType(ConfigException.class, () -> parse(item));
  }

  @Test
  void switchesComeWithTheNetworksThatTheyConnectFrom() throws Exception {
    NodeSettings settings =
        parse("{switches: [1-8, ff], addresses: [10.0.0.7, 10.1.0.0/16, '2001:db8::/32']}");
    assertThat(settings.openflow().plain())
        .containsExactly(
            new PlainSwitches(
                List.of(new SwitchRange(1, 8), new SwitchRange(0xff, 0xff)),
                List.of(
                    new Network(IpAddress.valueOf("10.0.0.7").toInetAddress(), 32),
                    new Network(IpAddress.valueOf("10.1.0.0").toInetAddress(), 16),
                    new Network(IpAddress.valueOf("2001:db8::").toInetAddress(), 32))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "switch.example.org",
        "10.0.0.256",
        "10.0.0.0/33",
        "2001:db8::/129",
        "10.0.0",
        "10.0.0.1/",
        "1.2.3.4.5",
        "':::'"
      })
  void whatIsNoNetworkIsNamedWithItsPlace(String address) {
    assertThat(refused("{switches: [1], addresses: [" + address + "]}"))
        .hasMessageContaining("node.yaml:8:")
        .hasMessageContaining("openflow.plain[0].addresses")
        .hasMessageContaining("write an IP address (10.0.0.7), or a network (10.0.0.0/24)");
  }

  @Test
  void bothListsAreNeeded() {
    assertThat(refused("{switches: [1]}")).hasMessageContaining("openflow.plain[0].addresses");
    assertThat(refused("{addresses: [10.0.0.1]}"))
        .hasMessageContaining("openflow.plain[0].switches");
    assertThat(refused("{switches: [1], addresses: [10.0.0.1], adress: x}"))
        .hasMessageContaining("openflow.plain[0].adress: unknown key");
  }

  private static NodeSettings listed(String keys, String items) throws ConfigException {
    String node = NODE.replace("  plain:\n", "  fingerprints: " + items + "\n" + keys + "\n");
    return SettingsReader.parse("node.yaml", node, Role.NODE);
  }

  @Test
  void certificatesOfSwitchesAreListedByTheirFingerprints() throws Exception {
    String colons = "AB:".repeat(31) + "AB";
    String plain = "cd".repeat(32);
    NodeSettings settings =
        listed(
            "keys: {directory: keys}",
            "[{switches: [1f], sha256: '"
                + colons
                + "'}, {switches: [1-2], sha256: "
                + plain
                + "}]");
    assertThat(settings.openflow().listed())
        .containsExactly(
            new ListedCertificate(
                new Fingerprint("ab".repeat(32)), List.of(new SwitchRange(0x1f, 0x1f))),
            new ListedCertificate(new Fingerprint(plain), List.of(new SwitchRange(1, 2))));
  }

  @Test
  void fingerprintsNeedKeysSwitchesAndAllTheirDigits() {
    String item = "[{switches: [1], sha256: '" + "ab".repeat(32) + "'}]";
    assertThat(catchThrowableOfType(ConfigException.class, () -> listed("", item)))
        .hasMessageContaining(
            "openflow.fingerprints: certificates of switches, but this node has no");
    String keys = "keys: {directory: keys}";
    assertThat(
            catchThrowableOfType(
                ConfigException.class,
                () -> listed(keys, "[{switches: [], sha256: abcd}, {switches: [2]}]")))
        .hasMessageContaining("openflow.fingerprints[0].sha256: 'abcd' is not allowed")
        .hasMessageContaining("openflow.fingerprints[0].switches")
        .hasMessageContaining("openflow.fingerprints[1].sha256: missing");
    assertThat(
            catchThrowableOfType(
                ConfigException.class,
                () -> listed(keys, item.replace("'}]", "'}, ") + item.substring(1))))
        .hasMessageContaining("openflow.fingerprints[1].sha256: it is there twice");
  }
}
