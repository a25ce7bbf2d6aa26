package io.lockstep.apps.learningswitch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.learningswitch.TestNetwork.Port;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.topology.NetworkPicture;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Frames of any bytes do not harm the learning switch, nor what it knows of others. */
class HostileFramesOfHostsTest {
  private static final long A = 0x0200_0000_000aL;
  private static final long B = 0x0200_0000_000bL;
  private static final long BROADCAST = 0xffff_ffff_ffffL;

  private final TestNetwork network =
      new TestNetwork(
          new NetworkPicture(
              1,
              LongStream.of(1, 2, 3).mapToObj(port -> new SwitchPort(1, port)).toList(),
              List.of()));

  @Test
  void othersKeepTheirTraffic() {
    Random random = new Random(23);
    byte[][] seeds = {
      TestNetwork.frame(BROADCAST, 0x0200_0000_000cL),
      TestNetwork.tagged(TestNetwork.frame(A, 0x0200_0000_000cL), 7),
      TestNetwork.frame(A, 0)
    };
    network.send(1, 1, BROADCAST, A);
    network.send(1, 2, BROADCAST, B);
    for (int i = 0; i < 20_000; i++) {
      byte[] frame = seeds[random.nextInt(seeds.length)].clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        // Not what the source ends in: no host may take the address of another here.
        int at = random.nextInt(frame.length);
        frame[at == 11 ? 0 : at] = (byte) random.nextInt();
      }
      int least = frame[12] == (byte) 0x81 ? 18 : 14;
      network.send(1, 3, Arrays.copyOf(frame, least + random.nextInt(46)));
      assertThat(network.arrivedAt()).doesNotContain(new Port(1, 3));
      network.clearFlows();
      network.hops = 0;
    }
    network.send(1, 1, B, A);
    assertThat(network.arrivedAt()).containsExactly(new Port(1, 2));
    network.send(1, 2, A, B);
    assertThat(network.arrivedAt()).containsExactly(new Port(1, 1));
  }
}
