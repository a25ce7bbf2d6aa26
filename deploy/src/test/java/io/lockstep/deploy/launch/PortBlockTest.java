package io.lockstep.deploy.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortBlockTest {

  @Test
  void blocksDoNotShareAPort() {
    Set<Integer> ports = new HashSet<>();
    try (PortBlock one = PortBlock.take();
        PortBlock other = PortBlock.take()) {
      for (int i = 1; i < 32; i++) {
        assertThat(ports.add(one.port(i))).isTrue();
        assertThat(ports.add(other.port(i))).isTrue();
      }
      assertThat(ports).allSatisfy(port -> assertThat(port).isBetween(20_000, 32_767));
      assertThatThrownBy(() -> one.port(32)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aPortOfTheBlockCanBeListenedOn() throws IOException {
    try (PortBlock block = PortBlock.take();
        ServerSocket socket =
            new ServerSocket(block.port(5), 1, InetAddress.getLoopbackAddress())) {
      assertThat(socket.isBound()).isTrue();
    }
  }
}
