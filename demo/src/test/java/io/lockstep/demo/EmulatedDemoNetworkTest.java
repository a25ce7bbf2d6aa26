package io.lockstep.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.demo.screen.Picture;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EmulatedDemoNetworkTest {

  @Test
  void aHostGoesRoundAndComesHome() {
    try (EmulatedDemoNetwork network = EmulatedDemoNetwork.twoDomains()) {
      network.start(List.of());
      assertThat(Stream.generate(() -> network.moveHost(0)).limit(5))
          .containsExactly(
              "h1 from s1 to s3",
              "h1 from s3 to s5",
              "h1 from s5 to s7",
              "h1 from s7 to s1",
              "h1 from s1 to s3");
      assertThat(network.moveHost(2)).as("beside the first guest").isEqualTo("h3 from s3 to s5");
    }
  }

  @Test
  void everyLinkHasANameAndCanBeCutAndRestored() {
    try (EmulatedDemoNetwork network = EmulatedDemoNetwork.twoDomains()) {
      network.start(List.of());
      assertThat(network.linkName(0)).isEqualTo("s1 - s2");
      for (int link = 0; link < network.directedLinks() / 2; link++) {
        assertThat(network.linkName(link)).matches("s\\d - s\\d");
        network.setLink(link, false);
        network.setLink(link, true);
      }
    }
  }

  @Test
  void flowsAreThoseOfTheSwitch() throws Exception {
    try (EmulatedDemoNetwork network = EmulatedDemoNetwork.twoDomains()) {
      assertThat(network.flows(0).get(10, TimeUnit.SECONDS).title())
          .isEqualTo("s1 is not connected yet");
      assertThatThrownBy(() -> network.moveHost(0)).hasMessage("the network does not run yet");
      network.start(List.of());
      assertThat(network.flows(4).get(10, TimeUnit.SECONDS).title())
          .isEqualTo("switch s5 of domain east: 0 flow entries");
    }
  }

  @Test
  void aHostThatNoNodeSeesIsNowhere() {
    try (EmulatedDemoNetwork network = EmulatedDemoNetwork.twoDomains()) {
      assertThat(network.places(List.of())).hasSize(8).contains(new Picture.Host("h1", "-"));
    }
  }
}
