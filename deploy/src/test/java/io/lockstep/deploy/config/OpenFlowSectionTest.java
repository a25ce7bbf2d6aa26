package io.lockstep.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lockstep.deploy.config.NodeSettings.Network;
import io.lockstep.deploy.config.NodeSettings.PlainSwitches;
import io.lockstep.deploy.config.SettingsReader.Role;
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
}
