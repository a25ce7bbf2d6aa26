package io.lockstep.demo.emulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ControllerAddressesTest {
  @Test
  void hostsAndPortsAreReadInOrder() {
    assertThat(ControllerAddresses.parse(List.of("127.0.0.1:6653", " [::1]:6654", "10.1.2.3:1")))
        .extracting(ControllerAddresses::text)
        .containsExactly("127.0.0.1:6653", "[0:0:0:0:0:0:0:1]:6654", "10.1.2.3:1");
  }

  @Test
  void whatIsWrongIsNamedWithWhatIsExpected() {
    Map.of(
            "127.0.0.1", "'127.0.0.1' is not HOST:PORT: write it as in 127.0.0.1:6653",
            "", "'' is not HOST:PORT",
            "::1:6653", "'::1:6653' is not HOST:PORT: write it as in 127.0.0.1:6653 or [::1]:6653",
            "127.0.0.1:0", "'127.0.0.1:0': ports are 1 to 65535",
            "127.0.0.1:65536", "'127.0.0.1:65536': ports are 1 to 65535",
            "no-such-host.invalid:6653", "'no-such-host.invalid:6653': no such host")
        .forEach(
            (text, message) ->
                assertThatThrownBy(() -> ControllerAddresses.parse(List.of(text)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(message));
  }

  @Test
  void aControllerIsNamedOnceAndThereAreNotTooMany() {
    assertThatThrownBy(() -> ControllerAddresses.parse(List.of("127.0.0.1:1", "127.0.0.1:1")))
        .hasMessageContaining("there twice");
    assertThatThrownBy(() -> ControllerAddresses.parse(Collections.nCopies(17, "127.0.0.1:1")))
        .hasMessageContaining("17 controllers: give 1 to 16");
    assertThatThrownBy(() -> ControllerAddresses.parse(List.of()))
        .hasMessageContaining("0 controllers");
  }
}
