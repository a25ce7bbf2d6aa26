package io.lockstep.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.config.SettingsReader.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The configuration that the package puts into /etc. */
class PackagedConfigurationTest {
  private static final Path FILE = Path.of("..", "examples", "systemd", "node.yaml");
  private static final Path UNIT = FILE.resolveSibling("lockstep.service");

  @Test
  void nothingOutsideOfTheMachineReachesIt() throws ConfigException {
    NodeSettings settings = SettingsReader.read(FILE, Role.NODE);
    assertThat(settings.openflow().host()).isEqualTo("127.0.0.1");
    assertThat(settings.admin().host()).isEqualTo("127.0.0.1");
    assertThat(settings.members()).allMatch(member -> member.host().equals("127.0.0.1"));
    assertThat(settings.replicas()).allMatch(replica -> replica.host().equals("127.0.0.1"));
    assertThat(settings.domains()).isEmpty();
  }

  @Test
  void itWritesWhereTheUnitAllowsIt() throws ConfigException, IOException {
    assertThat(SettingsReader.read(FILE, Role.NODE).store().directory())
        .isEqualTo(Path.of("/var/lib/lockstep"));
    List<String> unit = Files.readAllLines(UNIT);
    assertThat(unit)
        .contains("StateDirectory=lockstep", "ProtectSystem=strict")
        .contains("ExecStart=/opt/lockstep/bin/lockstep node --config /etc/lockstep/node.yaml");
  }
}
