package io.lockstep.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.apps.learningswitch.LearningSwitch;
import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.ApplicationProvider;
import io.lockstep.core.app.Noun;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.TableSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApplicationsTest {

  @Test
  void theLearningSwitchIsFoundByItsDeclaration() {
    assertThat(Applications.providers())
        .extracting(ApplicationProvider::name)
        .containsExactly(LearningSwitch.NAME);
    ApplicationProvider provider = Applications.providers().get(0);
    assertThat(provider.priority()).as("it claims all").isEqualTo(Integer.MAX_VALUE);
    ApplicationConfiguration usual = ApplicationConfiguration.usual(provider.configuration());
    assertThat(provider.create(usual).name()).isEqualTo(provider.name());
    assertThat(provider.nouns()).extracting(Noun::name).containsExactly("addresses");
  }

  @Test
  void whatReplicasRegisterIsWhatLogsOfEarlierReleasesCall() {
    assertThat(Applications.microComponents())
        .extracting(MicroComponent::name)
        .containsExactlyInAnyOrder(
            "learning-switch.learn-vlan",
            "learning-switch.forget-learned",
            "learning-switch.forward",
            "learning-switch.forget");
    assertThat(Applications.tables())
        .containsOnlyKeys("apps.learned-addresses", "apps.learned-address-counts")
        .containsValue(TableSpec.values());
  }

  @Test
  void aConfigurationHoldsOnlyWhatItsKeysAllow() {
    ApplicationConfiguration usual =
        ApplicationConfiguration.usual(Applications.providers().get(0).configuration());
    assertThat(usual.whole("idleTimeoutSeconds")).isEqualTo(10);
    assertThat(usual.with("idleTimeoutSeconds", 65_535).whole("idleTimeoutSeconds"))
        .isEqualTo(65_535);
    for (int wrong : new int[] {0, 65_536, -1}) {
      assertThatThrownBy(() -> usual.with("idleTimeoutSeconds", wrong))
          .hasMessage(
              "idleTimeoutSeconds: '%d' is not allowed; give a whole number from 1 to 65535"
                      .formatted(wrong)
                  + " (seconds)");
    }
    assertThatThrownBy(() -> usual.text("idleTimeoutSeconds"))
        .hasMessage("no key 'idleTimeoutSeconds' of kind Text is declared");
    assertThatThrownBy(() -> usual.with("ports", List.of())).hasMessageContaining("'ports'");
  }
}
