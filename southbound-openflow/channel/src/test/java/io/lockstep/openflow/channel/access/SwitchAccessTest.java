package io.lockstep.openflow.channel.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.cluster.DpidRange;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;

class SwitchAccessTest {
  private static InetAddress address(String text) {
    return IpAddress.valueOf(text).toInetAddress();
  }

  private static PlainRule rule(long first, long last, String network, int bits) {
    return new PlainRule(new DpidRange(first, last), address(network), bits);
  }

  private static Credential.Address from(String text) {
    return new Credential.Address(address(text));
  }

  @Test
  void anyoneMayBeEverySwitch() {
    SwitchAccess access = SwitchAccess.anyone();
    assertThat(access.refusal(address("192.0.2.1"))).isNull();
    assertThat(access.refusal(from("192.0.2.1"), -1L)).isNull();
  }

  @Test
  void plainIsAllowedByAddressAndDatapathId() {
    SwitchAccess access =
        SwitchAccess.of(
            null, List.of(rule(1, 8, "10.1.0.0", 16), rule(0x20, 0x20, "10.2.3.4", 32)));
    assertThat(access.refusal(address("10.1.255.255"))).isNull();
    assertThat(access.refusal(address("10.2.3.4"))).isNull();
    assertThat(access.refusal(address("10.2.3.5"))).contains("plain TCP", "10.2.3.5");
    assertThat(access.refusal(from("10.1.9.9"), 8)).isNull();
    assertThat(access.refusal(from("10.1.9.9"), 9)).contains("switch 9", "10.1.9.9");
    // Each rule counts as a whole.
    assertThat(access.refusal(from("10.1.9.9"), 0x20)).contains("switch 20");
    assertThat(access.refusal(from("10.2.3.4"), 0x20)).isNull();
  }

  @Test
  void certificateIsForItsSwitchesOnly() {
    SwitchAccess access = SwitchAccess.of(null, List.of());
    Credential.Certificate shown =
        new Credential.Certificate(
            "edge-1", List.of(new DpidRange(1, 1), new DpidRange(0x10, 0x1f)));
    assertThat(access.refusal(shown, 0x1f)).isNull();
    assertThat(access.refusal(shown, 2))
        .isEqualTo("its certificate (edge-1) is for switch 1, 10-1f, and it says to be switch 2");
    assertThat(access.refusal(new Credential.Certificate("none", List.of()), 1))
        .contains("is for no switch");
  }

  @Test
  void prefixEndsAtAnyBit() {
    PlainRule odd = rule(1, 1, "10.0.128.0", 17);
    assertThat(odd.contains(address("10.0.128.0"))).isTrue();
    assertThat(odd.contains(address("10.0.255.255"))).isTrue();
    assertThat(odd.contains(address("10.0.127.255"))).isFalse();
    assertThat(odd.contains(address("10.1.128.0"))).isFalse();
    assertThat(rule(1, 1, "0.0.0.0", 0).contains(address("203.0.113.9"))).isTrue();
    assertThat(rule(1, 1, "0.0.0.0", 0).contains(address("2001:db8::1"))).isFalse();
    assertThat(rule(1, 1, "2001:db8::", 33).contains(address("2001:db8:7fff::1"))).isTrue();
    assertThat(rule(1, 1, "2001:db8::", 33).contains(address("2001:db8:8000::1"))).isFalse();
    assertThat(rule(1, 1, "::1", 128).contains(address("::1"))).isTrue();
  }

  @Test
  void prefixLongerThanTheAddressIsRefused() {
    assertThatThrownBy(() -> rule(1, 1, "10.0.0.0", 33)).isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> rule(1, 1, "10.0.0.0", -1)).isInstanceOf(RuntimeException.class);
  }
}
