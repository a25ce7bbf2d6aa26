package io.lockstep.deploy.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.ApplicationProvider;
import io.lockstep.core.app.ConfigurationKey;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.app.PacketView;
import io.lockstep.deploy.config.SettingsReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplicationOptionsTest {
  private static final String FLOWS = "learning-switch.idleTimeoutSeconds=1";

  private record Passes() implements PacketApplication {
    @Override
    public String name() {
      return "guard";
    }

    @Override
    public Decision packetIn(PacketView packet, NetworkView network) {
      return Decision.PASS;
    }
  }

  /** Keeps what it was given, and refuses the quota 9. */
  private static final class Guard implements ApplicationProvider {
    final List<ApplicationConfiguration> given = new ArrayList<>();

    @Override
    public String name() {
      return "guard";
    }

    @Override
    public int priority() {
      return 7;
    }

    @Override
    public List<ConfigurationKey> configuration() {
      return List.of(
          new ConfigurationKey.Whole("quota", 5, 1, 9, "packets"),
          new ConfigurationKey.Text("word", "", Pattern.compile("(?s).*"), "anything"),
          new ConfigurationKey.Texts("hosts", Pattern.compile("[0-9:]+"), "addresses"));
    }

    @Override
    public PacketApplication create(ApplicationConfiguration configuration) {
      if (configuration.whole("quota") == 9) {
        throw new IllegalArgumentException("9 is too many");
      }
      given.add(configuration);
      return new Passes();
    }
  }

  private final Guard guard = new Guard();

  @TempDir private Path directory;

  private ApplicationCatalog catalog() {
    List<ApplicationProvider> all = new ArrayList<>(ApplicationCatalog.BUILT_IN.providers());
    all.add(guard);
    return new ApplicationCatalog(all, Map.of());
  }

  private String section(String... given) {
    return ApplicationOptions.section(catalog(), List.of(FLOWS), List.of(given));
  }

  @Test
  void optionsBecomeTheSectionOfANodesFile() {
    assertThat(ApplicationOptions.section(catalog(), List.of(), List.of())).isEmpty();
    assertThat(section("guard.quota=+3", "guard.hosts=1:2,3"))
        .isEqualTo(
            """
            applications:
              guard:
                hosts: ["1:2", "3"]
                quota: 3
              learning-switch:
                idleTimeoutSeconds: 1
            """);
    assertThat(section("learning-switch.idleTimeoutSeconds=30", "guard.hosts="))
        .contains("idleTimeoutSeconds: 30\n", "hosts: []\n");
  }

  /** Whatever the text is: it ends no quotes and begins no key. */
  @Test
  void aNodeReadsTheTextThatWasGiven() throws Exception {
    for (String word : List.of("a=b, c", "\"}\n\u00fc: \\ #", "'", " {x: [", "on", "", "\t~")) {
      guard.given.clear();
      Path file =
          Files.writeString(
              directory.resolve("node.yaml"),
              "cluster: demo\nnode: n1\nmembers: [{id: n1, host: 127.0.0.1}]\n"
                  + section("guard.word=" + word));
      SettingsReader.read(file, SettingsReader.Role.NODE, catalog());
      assertThat(guard.given).extracting(given -> given.text("word")).containsOnly(word.strip());
    }
  }

  @Test
  void everyMistakeNamesTheOptionAndTheRemedy() {
    Map<String, String> wrong =
        Map.of(
            "quota=3", "'quota=3' has no key\n    remedy: write NAME.KEY=VALUE",
            "guard.=3", "'guard.=3' has no key",
            "=", "'=' has no key",
            "gard.quota=3", "no application 'gard'\n    remedy: did you mean 'guard'?",
            "x.quota=3",
                "no application 'x'\n    remedy: known here: learning-switch, load-balancer, guard",
            "guard.quotas=3", "guard has no key 'quotas'\n    remedy: did you mean 'quota'?",
            "guard.quota=10",
                "is not allowed\n    remedy: give a whole number from 1 to 9 (packets)",
            "guard.quota=soon", "'guard.quota=soon': the value is not allowed",
            "guard.hosts=1,x", "remedy: give addresses",
            "guard.quota=9", "guard refuses these values: ");
    wrong.forEach(
        (option, message) ->
            assertThatThrownBy(() -> section(option))
                .as(option)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message)
                .hasMessageContaining("\n    remedy: "));
    assertThatThrownBy(() -> section("guard.quota=3", "guard.quota=4"))
        .hasMessageContaining("'guard.quota=4': its key is given twice");
  }
}
