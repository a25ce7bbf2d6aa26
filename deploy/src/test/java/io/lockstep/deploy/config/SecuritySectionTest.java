package io.lockstep.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lockstep.deploy.config.NodeSettings.LinkSecurity;
import io.lockstep.deploy.config.SettingsReader.Role;
import io.lockstep.keys.KeyFiles;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecuritySectionTest {
  private static final Path HERE = Path.of("").toAbsolutePath();

  private static String file(String host, String more) {
    return "cluster: demo\nnode: n1\nmembers: [{id: n1, host: " + host + "}]\n" + more;
  }

  private static LinkSecurity security(String text) throws ConfigException {
    return SettingsReader.parse("node.yaml", text, Role.NODE).security();
  }

  private static String refused(String text, Role role) {
    return catchThrowableOfType(
            ConfigException.class, () -> SettingsReader.parse("node.yaml", text, role))
        .explanation();
  }

  @ParameterizedTest
  @EnumSource(
      value = Role.class,
      names = {"NODE", "REPLICA"})
  void linksThatLeaveTheMachineNeedKeys(Role role) {
    assertThat(refused(file("10.0.0.1", ""), role))
        .contains("keys: the cluster's links leave this machine (10.0.0.1) and there are no keys")
        .contains("./lockstep pki")
        .contains("insecure: true");
  }

  @Test
  void replicasOfTheirOwnCountToo() {
    assertThat(
            refused(
                file("127.0.0.1", "replica: none\nreplicas: [{id: s1, host: store1}]\n"),
                Role.NODE))
        .contains("(store1)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost", "127.1.2.3", "\"::1\""})
  void linksOnLoopbackNeedNone(String host) throws ConfigException {
    assertThat(security(file(host, ""))).isEqualTo(new LinkSecurity(null, false));
  }

  @Test
  void whoeverSaysSoHasNone() throws ConfigException {
    assertThat(security(file("10.0.0.1", "insecure: true\n")))
        .isEqualTo(new LinkSecurity(null, true));
    assertThat(refused(file("10.0.0.1", "insecure: true\nkeys: {directory: k}\n"), Role.NODE))
        .contains("remove one of the two");
    assertThat(refused(file("10.0.0.1", "insecure: false\n"), Role.NODE)).contains("no keys");
  }

  @Test
  void aClientOfTheStoreListensNowhere() throws ConfigException {
    assertThat(
            SettingsReader.parse("node.yaml", file("10.0.0.1", ""), Role.CLIENT).security().keys())
        .isNull();
  }

  @Test
  void keysAreADirectoryOrFilesBesideTheFile() throws ConfigException {
    assertThat(security(file("10.0.0.1", "keys: {directory: secrets}\n")).keys())
        .isEqualTo(KeyFiles.of(HERE.resolve("secrets")));
    assertThat(
            security(
                    file(
                        "10.0.0.1",
                        "keys: {authority: a.crt, certificate: c.crt, privateKey: /k,"
                            + " revoked: r.crl}\n"))
                .keys())
        .isEqualTo(
            new KeyFiles(
                HERE.resolve("a.crt"),
                HERE.resolve("c.crt"),
                Path.of("/k"),
                HERE.resolve("r.crl")));
    assertThat(refused(file("10.0.0.1", "keys: {dir: secrets}\n"), Role.NODE)).contains("keys.dir");
  }
}
