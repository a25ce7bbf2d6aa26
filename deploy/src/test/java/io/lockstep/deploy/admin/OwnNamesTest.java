package io.lockstep.deploy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnNamesTest {
  private final OwnNames names = new OwnNames(List.of("Node-1.example", "fe80::1"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LocalHost:8181",
        "127.0.0.1",
        "127.0.0.1:8181",
        "127.255.0.200:80",
        "[::1]",
        "[::1]:8181",
        "node-1.example",
        "NODE-1.EXAMPLE:8181",
        "[fe80::1]:8181"
      })
  void loopbackAndConfiguredNamesAreOwn(String host) {
    assertThat(names.includes(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "evil.example",
        "evil.example:8181",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil.example#127.0.0.1",
        "127.0.0.1@evil.example",
        "evil.example:127.0.0.1",
        "127.0.0.1:",
        "127.0.0.1:8181:1",
        "127.1",
        "127.0.0.256",
        "128.0.0.1",
        "0.0.0.0",
        "10.0.0.1",
        "::1",
        "[::1",
        "[::2]",
        "[::1].evil.example",
        "node-1.example.",
        "node-1xexample",
        "localhost, evil.example",
        "localhost\n"
      })
  void othersAreForeign(String host) {
    assertThat(names.includes(host)).isFalse();
    assertThat(names.includes("localhost:8181")).isTrue();
    assertThat(names.includes(host)).as("behind a name of the node").isFalse();
  }

  @Test
  void noHostIsForeign() {
    assertThat(names.includes(null)).isFalse();
  }

  @Test
  void onlyTheOriginThatWasAskedMayChangeSomething() {
    String host = "localhost:8181";
    assertThat(OwnNames.mayChange("http", host, List.of())).isTrue();
    assertThat(OwnNames.mayChange("http", host, List.of("http://LOCALHOST:8181"))).isTrue();
    for (String origin :
        List.of(
            "null", "http://evil.example", "http://localhost:8182", "https://localhost:8181", "")) {
      assertThat(OwnNames.mayChange("http", host, List.of(origin))).as(origin).isFalse();
    }
    assertThat(
            OwnNames.mayChange(
                "http", host, List.of("http://localhost:8181", "http://evil.example")))
        .isFalse();
  }

  @Test
  void otherMachinesAskUnderAddressesAndListedNames() {
    OwnNames remote = OwnNames.ofRemote(List.of("n1", "0.0.0.0"));
    for (String host : List.of("10.0.0.1:8443", "[fe80::1]:8443", "n1", "N1:8443", "localhost")) {
      assertThat(remote.includes(host)).as(host).isTrue();
    }
    for (String host : List.of("evil.example", "10.0.0.1.evil.example", "n2")) {
      assertThat(remote.includes(host)).as(host).isFalse();
    }
    assertThat(OwnNames.mayChange("https", "n1", List.of("https://n1"))).isTrue();
    assertThat(OwnNames.mayChange("https", "n1", List.of("http://n1"))).isFalse();
  }
}
