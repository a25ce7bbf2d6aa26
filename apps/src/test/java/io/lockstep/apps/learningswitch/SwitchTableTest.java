package io.lockstep.apps.learningswitch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.topology.NetworkPicture;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the components that are only replayed do to their table, at its bounds. */
class SwitchTableTest {
  private static final long SWITCH = 0x01ff;
  private static final long[] NEIGHBOURS = {0x01fe, 0x0200, 0x0201, 0x02ff, -1L};
  private static final long HOST = 0x0200_0000_0000L;
  private static final long BROADCAST = 0xffff_ffff_ffffL;

  private final TestNetwork network = new TestNetwork(new NetworkPicture(1, List.of(), List.of()));

  SwitchTableTest() {
    network.store(new Command.CreateTable(SwitchTable.NAME, TableSpec.values()));
  }

  private LearnAndForward.Result learn(long dpid, long port, long source) {
    Reply reply =
        network.store(LearnAndForward.command(dpid, port, TestNetwork.frame(source, source)));
    return LearnAndForward.Result.of(((Reply.Returned) reply).result());
  }

  /** The recorded reply is state: a replay has to give the very same bytes. */
  private byte[] answer(long port, long destination, long source) {
    byte[] frame = TestNetwork.frame(destination, source);
    Reply reply = network.store(LearnAndForward.command(SWITCH, port, frame));
    return ((Reply.Returned) reply).result().toArray();
  }

  private long forget(Command command) {
    byte[] count = ((Reply.Returned) network.store(command)).result().toArray();
    return SwitchTable.unsignedInt(count, 0);
  }

  private long counter(long dpid) {
    byte[] key = new byte[SwitchTable.DPID_BYTES];
    SwitchTable.putLong(key, 0, dpid);
    if (network.store(new Command.Get(SwitchTable.NAME, Bytes.wrap(key)))
        instanceof Reply.Found found) {
      byte[] value = found.value().toArray();
      return SwitchTable.unsignedInt(value, 0) << 32 | SwitchTable.unsignedInt(value, 4);
    }
    return 0;
  }

  @Test
  void answersAreThoseThatEarlierReleasesRecorded() {
    long other = HOST + 1;
    assertThat(answer(7, other, HOST)).as("unknown").containsExactly(0, 0, 0, 0, 0);
    assertThat(answer(0x01020304, HOST, other)).as("known").containsExactly(1, 0, 0, 0, 7);
    assertThat(answer(7, other, HOST)).as("as before").containsExactly(1, 1, 2, 3, 4);
    assertThat(answer(8, other, HOST)).as("moved").containsExactly(3, 1, 2, 3, 4);
    assertThat(answer(0x01020304, HOST, other)).as("followed").containsExactly(1, 0, 0, 0, 8);
    assertThat(answer(9, BROADCAST, HOST)).as("moved, to all").containsExactly(2, 0, 0, 0, 0);
    assertThat(answer(9, HOST, BROADCAST)).as("a group").containsExactly(1, 0, 0, 0, 9);
    assertThat(answer(9, HOST, 0)).as("no source").containsExactly(1, 0, 0, 0, 9);
    assertThat(counter(SWITCH)).isEqualTo(2);
  }

  @Test
  void portIsForgottenWithoutTheOthers() {
    learn(SWITCH, 1, HOST);
    learn(SWITCH, 2, HOST + 1);
    learn(SWITCH, 2, HOST + 2);
    assertThat(forget(ForgetPorts.command(SWITCH, 2))).isEqualTo(2);
    assertThat(counter(SWITCH)).isEqualTo(1);
    assertThat(forget(ForgetPorts.command(SWITCH, 2))).isZero();
    assertThat(forget(ForgetPorts.command(SWITCH, 1))).isEqualTo(1);
  }

  @Test
  void forgettingASwitchWithoutAddressesLeavesNoCounter() {
    assertThat(forget(ForgetPorts.command(SWITCH))).isZero();
    assertThat(network.store(new Command.Scan(SwitchTable.NAME, Bytes.empty(), null, 10)))
        .isEqualTo(new Reply.Entries(List.of(), false));
  }

  @Test
  void forgettingASwitchWhoseNumberEndsInFfLeavesItsNeighboursAlone() {
    learn(SWITCH, 1, HOST);
    for (long neighbour : NEIGHBOURS) {
      learn(neighbour, 1, HOST);
    }
    assertThat(forget(ForgetPorts.command(SWITCH))).isEqualTo(1);
    assertThat(counter(SWITCH)).isZero();
    for (long neighbour : NEIGHBOURS) {
      assertThat(counter(neighbour)).as("switch %x", neighbour).isEqualTo(1);
      assertThat(learn(neighbour, 1, HOST).known()).as("switch %x", neighbour).isTrue();
    }
  }

  @Test
  void carryToTheFirstByteLeavesTheNextSwitchAlone() {
    long low = 0x00ff_ffff_ffff_ffffL;
    learn(low, 1, HOST);
    learn(low + 1, 1, HOST);
    assertThat(forget(ForgetPorts.command(low))).isEqualTo(1);
    assertThat(counter(low + 1)).isEqualTo(1);
  }

  @Test
  void lastSwitchOfAllIsForgotten() {
    learn(-1L, 1, HOST);
    learn(SWITCH, 1, HOST);
    assertThat(forget(ForgetPorts.command(-1L, 1))).isEqualTo(1);
    assertThat(counter(-1L)).isZero();
    assertThat(counter(SWITCH)).isEqualTo(1);
  }

  @Test
  void counterStandsAtTheBoundHoweverManyAddressesComeAfterIt() {
    for (int i = 1; i <= SwitchTable.MAX_ADDRESSES + 100; i++) {
      learn(SWITCH, 1, HOST + i);
    }
    assertThat(counter(SWITCH)).isEqualTo(SwitchTable.MAX_ADDRESSES);
    assertThat(learn(SWITCH, 1, HOST + SwitchTable.MAX_ADDRESSES).known()).isTrue();
    assertThat(learn(SWITCH, 1, HOST + SwitchTable.MAX_ADDRESSES + 1).known()).isFalse();
    assertThat(forget(ForgetPorts.command(SWITCH, 1))).isEqualTo(SwitchTable.MAX_ADDRESSES);
    assertThat(counter(SWITCH)).isZero();
    learn(SWITCH, 1, HOST + 1);
    assertThat(counter(SWITCH)).as("there is room again").isEqualTo(1);
  }
}
