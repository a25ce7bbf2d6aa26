package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.logging.LogLimit;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AcceptFaultsTest {
  @Test
  void whatCannotBeAcceptedIsLoggedAFewTimesAndTheListenerStaysOpen() {
    List<String> lines = new ArrayList<>();
    ConnectionLog log =
        new ConnectionLog((severity, text, cause) -> lines.add(severity + " " + text), () -> 0);
    EmbeddedChannel listener = new EmbeddedChannel(new AcceptFaults(log));
    for (int i = 0; i < 1000; i++) {
      listener.pipeline().fireExceptionCaught(new IOException("Too many open files"));
    }
    assertThat(lines)
        .hasSize(LogLimit.LINES)
        .allMatch(line -> line.startsWith("WARN a connection of a switch waits"))
        .allMatch(line -> line.contains("Too many open files; remedy: "));
    assertThat(listener.isOpen()).isTrue();
    listener.checkException();
  }
}
