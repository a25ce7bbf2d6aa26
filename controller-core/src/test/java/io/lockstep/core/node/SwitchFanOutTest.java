package io.lockstep.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.SwitchConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onosproject.net.PortNumber;

class SwitchFanOutTest {
  private final List<String> heard = new ArrayList<>();

  @Test
  void aRoomThatFailsCostsTheConnectionAndTheOthersHearAllTheSame() throws Exception {
    NodeRoom broken =
        new NodeRoom() {
          @Override
          public void packetIn(SwitchConnection connection, PacketIn packetIn) {
            throw new StackOverflowError("a bad application");
          }

          @Override
          public void disconnected(SwitchConnection connection, String reason) {
            throw new IllegalStateException("and again");
          }
        };
    NodeRoom sound =
        new NodeRoom() {
          @Override
          public void packetIn(SwitchConnection connection, PacketIn packetIn) {
            heard.add("packet-in");
          }

          @Override
          public void disconnected(SwitchConnection connection, String reason) {
            heard.add("disconnected: " + reason);
          }
        };
    SwitchFanOut fanOut = new SwitchFanOut(List.of(broken, sound), new PacketTaps());
    ExecutorService loop = Executors.newSingleThreadExecutor();
    FakeSwitch fake = new FakeSwitch(0x10, loop);
    fake.connect("n1", fanOut);
    PacketIn packet =
        new PacketIn(
            PacketIn.NO_BUFFER,
            0,
            PortNumber.portNumber(1),
            PacketIn.Reason.NO_MATCH,
            0,
            new byte[60],
            60);
    SwitchConnection connection = fake.connection("n1");
    loop.submit(() -> fanOut.packetIn(connection, packet)).get(20, TimeUnit.SECONDS);
    loop.shutdown();
    assertThat(loop.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    assertThat(connection.isOpen()).isFalse();
    assertThat(heard).hasSize(2).contains("packet-in");
    assertThat(heard.toString()).contains("failed at a packet-in");
  }
}
