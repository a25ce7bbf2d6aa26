package io.lockstep.core.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.link.SwitchPort;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;

/** What applications hear of a host that left a switch, by a clock that the test moves. */
class HostMovedTest extends PacketDispatcherFixture {
  private static final MacAddress HOST = MacAddress.valueOf(7);

  private final List<NetworkEvent> heard = new ArrayList<>();
  private final PacketDispatcher dispatcher;

  HostMovedTest() {
    App app = new App("a", packet -> Decision.PASS);
    app.onEvent =
        event -> {
          if (event instanceof NetworkEvent.HostMoved) {
            heard.add(event);
          }
          return Decision.PASS;
        };
    dispatcher = mastering();
  }

  @Test
  void applicationsHearOfItTwiceForAnswersMayComeLate() {
    SwitchPort from = new SwitchPort(connection.dpid(), 3);
    NetworkEvent moved = new NetworkEvent.HostMoved(from.deviceId(), from.portNumber(), HOST);
    dispatcher.events().hostMoved(from, HOST);
    time.pass(1);
    assertThat(heard).containsExactly(moved);
    time.pass(10_000);
    assertThat(heard).containsExactly(moved, moved);
  }

  @Test
  void whatHappensAtASwitchOfAnotherNodeIsNotTold() {
    dispatcher.events().hostMoved(new SwitchPort(connection.dpid() + 1, 3), HOST);
    time.pass(10_000);
    assertThat(heard).isEmpty();
  }
}
