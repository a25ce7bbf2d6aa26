package io.lockstep.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.apps.learningswitch.LearningSwitch;
import io.lockstep.apps.loadbalancer.LoadBalancer;
import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.ApplicationProvider;
import io.lockstep.core.app.Noun;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.TableSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApplicationsTest {

  @Test
  void theApplicationsAreFoundByTheirDeclarations() {
    assertThat(Applications.providers())
        .extracting(ApplicationProvider::name)
        .containsExactly(LearningSwitch.NAME, LoadBalancer.NAME);
    assertThat(Applications.providers().get(1).priority())
        .as("it is asked before what claims all")
        .isLessThan(Integer.MAX_VALUE);
    assertThat(Applications.providers().get(1).nouns())
        .extracting(Noun::name)
        .containsExactly("vips", "pools", "members", "connections");
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
            "learning-switch.forget",
            "load-balancer.configure",
            "load-balancer.take",
            "load-balancer.return",
            "load-balancer.translate",
            "load-balancer.report",
            "load-balancer.expire");
    assertThat(Applications.tables())
        .hasSize(12)
        .containsKeys("apps.learned-addresses", "apps.learned-address-counts")
        .containsKeys("apps.load-balancer.vips", "apps.load-balancer.connections")
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
