package io.lockstep.apps.learningswitch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.topology.NetworkPicture;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The components over the tables of learned addresses, at their bounds. */
class LearnedTableTest {
  private static final long SWITCH = 0x01ff;
  private static final long[] NEIGHBOURS = {0x01fe, 0x0200, 0x0201, 0x02ff, -1L};
  private static final long HOST = 0x0200_0000_0000L;
  private static final long UNKNOWN_HOST = 0x0200_ffff_ffffL;
  private static final int LIMIT = LearnedTable.MAX_AT_EDGE;

  private final TestNetwork network = new TestNetwork(new NetworkPicture(1, List.of(), List.of()));

  private LearnInVlan.Result learn(long dpid, int vlan, long port, long source, int limit) {
    byte[] frame = TestNetwork.frame(UNKNOWN_HOST, source);
    return result(network.store(LearnInVlan.command(dpid, vlan, port, frame, limit)));
  }

  private LearnInVlan.Result learn(long dpid, long port, long source) {
    return learn(dpid, 0, port, source, LIMIT);
  }

  private static LearnInVlan.Result result(Reply reply) {
    return LearnInVlan.Result.of(((Reply.Returned) reply).result());
  }

  /** Where an address is, or -1; asked with a source that is never learned. */
  private long portOf(long dpid, long address) {
    byte[] frame = TestNetwork.frame(address, 0);
    LearnInVlan.Result result = result(network.store(LearnInVlan.command(dpid, 0, 1, frame, 1)));
    return result.known() ? result.egress() : -1;
  }

  private long changed(Command command) {
    byte[] count = ((Reply.Returned) network.store(command)).result().toArray();
    return SwitchTable.unsignedInt(count, 0);
  }

  private long count(Bytes key) {
    return network.store(new Command.Get(LearnedTable.COUNTS, key)) instanceof Reply.Found found
        ? ByteBuffer.wrap(found.value().toArray()).getLong()
        : 0;
  }

  private static byte[] bytes(long dpid) {
    return ByteBuffer.allocate(Long.BYTES).putLong(dpid).array();
  }

  private long onSwitch(long dpid) {
    return count(LearnedTable.switchKey(bytes(dpid), 0));
  }

  private long atPort(long dpid, long port) {
    return count(LearnedTable.portKey(bytes(dpid), 0, port));
  }

  private int entries(String table) {
    Reply reply = network.store(new Command.Scan(table, Bytes.empty(), null, 10_000));
    return ((Reply.Entries) reply).entries().size();
  }

  @ParameterizedTest
  @ValueSource(longs = {SWITCH, 0xff, 0xffff_ffffL, -1L, 0})
  void forgettingASwitchLeavesItsNeighboursAlone(long dpid) {
    learn(dpid, 1, HOST);
    for (long neighbour : NEIGHBOURS) {
      learn(neighbour, 1, HOST);
    }
    assertThat(changed(ForgetLearned.all(dpid))).isEqualTo(1);
    assertThat(onSwitch(dpid)).isZero();
    assertThat(portOf(dpid, HOST)).isEqualTo(-1);
    for (long neighbour : NEIGHBOURS) {
      if (neighbour != dpid) {
        assertThat(onSwitch(neighbour)).as("switch %x", neighbour).isEqualTo(1);
        assertThat(portOf(neighbour, HOST)).as("switch %x", neighbour).isEqualTo(1);
      }
    }
  }

  @Test
  void countsStandAtTheBoundHoweverManyAddressesComeAfterIt() {
    for (int i = 1; i <= 2 * LIMIT; i++) {
      assertThat(learn(SWITCH, 1, HOST + i).full()).isEqualTo(i > LIMIT);
    }
    assertThat(atPort(SWITCH, 1)).isEqualTo(LIMIT);
    assertThat(onSwitch(SWITCH)).isEqualTo(LIMIT);
    assertThat(changed(ForgetLearned.atPort(SWITCH, 1))).isEqualTo(LIMIT);
    assertThat(atPort(SWITCH, 1)).isZero();
    assertThat(onSwitch(SWITCH)).isZero();
    assertThat(entries(LearnedTable.COUNTS)).as("counts of nothing take no room").isZero();
    assertThat(learn(SWITCH, 1, HOST).full()).as("there is room again").isFalse();
  }

  @Test
  void portsTogetherCannotExceedTheSwitchsRoom() {
    int ports = LearnedTable.MAX_ADDRESSES / LIMIT + 1;
    for (int port = 1; port <= ports; port++) {
      for (int i = 0; i < LIMIT; i++) {
        boolean full = learn(SWITCH, port, HOST + (port << 16 | i)).full();
        assertThat(full).isEqualTo(port == ports);
      }
    }
    assertThat(onSwitch(SWITCH)).isEqualTo(LearnedTable.MAX_ADDRESSES);
    assertThat(atPort(SWITCH, ports)).isZero();
    assertThat(learn(SWITCH + 1, 1, HOST).full()).as("another switch has its own").isFalse();
    long calls = 1;
    for (long some = changed(ForgetLearned.all(SWITCH)); some == ForgetLearned.MAX_AT_ONCE; ) {
      some = changed(ForgetLearned.all(SWITCH));
      calls++;
    }
    assertThat(calls).isEqualTo(LearnedTable.MAX_ADDRESSES / ForgetLearned.MAX_AT_ONCE + 1);
    assertThat(onSwitch(SWITCH)).isZero();
    assertThat(entries(LearnedTable.NAME)).isEqualTo(1);
  }

  /** Each address behind a port of its own: as many counts as addresses are written. */
  @Test
  void oneCallStaysWithinTheKeysThatMayBeWritten() {
    for (int i = 0; i < LearnedTable.MAX_ADDRESSES; i++) {
      assertThat(learn(SWITCH, 10_000 + i, HOST + i).full()).isFalse();
    }
    for (int i = 0; i < LearnedTable.MAX_ADDRESSES; i++) {
      assertThat(learn(SWITCH, 30_000 + i, HOST + i).moved()).isTrue();
    }
    long changed = 0;
    for (long some = ForgetLearned.MAX_AT_ONCE; some == ForgetLearned.MAX_AT_ONCE; ) {
      some = changed(ForgetLearned.aged(SWITCH));
      changed += some;
    }
    assertThat(changed).as("charged to other ports").isEqualTo(LearnedTable.MAX_ADDRESSES);
    assertThat(atPort(SWITCH, 10_000)).isZero();
    assertThat(atPort(SWITCH, 30_000)).isEqualTo(1);
    assertThat(changed(ForgetLearned.aged(SWITCH))).isZero();
    assertThat(changed(ForgetLearned.all(SWITCH))).isEqualTo(ForgetLearned.MAX_AT_ONCE);
  }

  @Test
  void moveLeavesTheCountsAloneUntilTheMinuteIsOver() {
    learn(SWITCH, 1, HOST);
    assertThat(learn(SWITCH, 2, HOST).moved()).isTrue();
    assertThat(learn(SWITCH, 2, HOST).moved()).isFalse();
    assertThat(portOf(SWITCH, HOST)).isEqualTo(2);
    assertThat(atPort(SWITCH, 1)).isEqualTo(1);
    assertThat(atPort(SWITCH, 2)).isZero();
    assertThat(changed(ForgetLearned.aged(SWITCH))).isEqualTo(1);
    assertThat(atPort(SWITCH, 1)).isZero();
    assertThat(atPort(SWITCH, 2)).isEqualTo(1);
    assertThat(onSwitch(SWITCH)).isEqualTo(1);
  }

  @Test
  void addressThatMovesToAFullPortIsForgotten() {
    learn(SWITCH, 2, HOST);
    for (int i = 1; i <= LIMIT; i++) {
      learn(SWITCH, 1, HOST + i);
    }
    assertThat(learn(SWITCH, 1, HOST)).matches(result -> result.moved() && result.full());
    assertThat(portOf(SWITCH, HOST)).as("packets to it are flooded").isEqualTo(-1);
    assertThat(atPort(SWITCH, 1)).isEqualTo(LIMIT);
    assertThat(atPort(SWITCH, 2)).isZero();
    assertThat(onSwitch(SWITCH)).isEqualTo(LIMIT);
    assertThat(learn(SWITCH, 1, HOST)).matches(result -> !result.moved() && result.full());
    assertThat(learn(SWITCH, 2, HOST).full()).as("it is learned where there is room").isFalse();
    assertThat(portOf(SWITCH, HOST)).isEqualTo(2);
  }

  @Test
  void entryThatWasWrittenWithoutItsPortsLimitIsRead() {
    learn(SWITCH, 1, HOST);
    Bytes key = Bytes.wrap(ByteBuffer.allocate(16).putLong(SWITCH).putLong(HOST).array());
    byte[] seen = ByteBuffer.allocate(12).putInt(1).putInt(0).putInt(1).array();
    network.store(new Command.Put(LearnedTable.NAME, key, Bytes.wrap(seen)));
    assertThat(learn(SWITCH, 2, HOST).moved()).isTrue();
    assertThat(portOf(SWITCH, HOST)).isEqualTo(2);
  }

  @Test
  void addressThatComesBackToItsFullPortIsFollowed() {
    for (int i = 0; i < LIMIT; i++) {
      learn(SWITCH, 1, HOST + i);
    }
    learn(SWITCH, 2, HOST);
    assertThat(learn(SWITCH, 1, HOST)).matches(result -> result.moved() && !result.full());
    assertThat(portOf(SWITCH, HOST)).isEqualTo(1);
    assertThat(atPort(SWITCH, 1)).isEqualTo(LIMIT);
  }

  /** One port learns addresses and the other takes them over, for longer than 8 minutes. */
  @Test
  void portsThatHandAddressesToEachOtherHaveNoMoreRoomThanTheirOwn() {
    for (int minute = 0; minute < 12; minute++) {
      long from = HOST + (long) minute * LIMIT;
      for (int i = 0; i < LIMIT; i++) {
        learn(SWITCH, 1, from + i);
        learn(SWITCH, 2, from + i);
      }
      assertThat(onSwitch(SWITCH)).isLessThanOrEqualTo(2L * LIMIT);
      network.passSeconds(60);
      network.store(ForgetLearned.aged(SWITCH));
      assertThat(addressesAt(2)).as("minute %d", minute).isLessThanOrEqualTo(LIMIT);
      assertThat(atPort(SWITCH, 1)).isZero();
    }
  }

  /** How many addresses the table has at a port of the switch. */
  private long addressesAt(long port) {
    Reply reply = network.store(new Command.Scan(LearnedTable.NAME, Bytes.empty(), null, 10_000));
    return ((Reply.Entries) reply)
        .entries().stream().filter(entry -> LearnedTable.Learned.of(entry).port() == port).count();
  }

  /** The charges of both change in the same call: neither is in the other's way. */
  @Test
  void hostsOfTwoPortsCanChangePlaces() {
    int each = LIMIT - 1;
    for (int i = 0; i < each; i++) {
      learn(SWITCH, 1, HOST + i);
      learn(SWITCH, 2, HOST + LIMIT + i);
    }
    for (int i = 0; i < each; i++) {
      assertThat(learn(SWITCH, 2, HOST + i).full()).isFalse();
      assertThat(learn(SWITCH, 1, HOST + LIMIT + i).full()).isFalse();
    }
    assertThat(changed(ForgetLearned.aged(SWITCH))).isEqualTo(2L * each);
    assertThat(onSwitch(SWITCH)).as("none is forgotten").isEqualTo(2L * each);
    assertThat(atPort(SWITCH, 1)).isEqualTo(each);
    assertThat(atPort(SWITCH, 2)).isEqualTo(each);
  }

  @Test
  void addressThatIsSeenWhereItWasIsWrittenOnceAMinute() {
    learn(SWITCH, 1, HOST);
    long version = version();
    for (int second = 0; second < LearnedTable.REFRESH_SECONDS - 1; second++) {
      network.passSeconds(1);
      learn(SWITCH, 1, HOST);
    }
    assertThat(version()).isEqualTo(version);
    network.passSeconds(2);
    learn(SWITCH, 1, HOST);
    assertThat(version()).isGreaterThan(version);
  }

  private long version() {
    Reply reply = network.store(new Command.Scan(LearnedTable.NAME, Bytes.empty(), null, 1));
    return ((Reply.Entries) reply).entries().get(0).version();
  }

  /** After any calls, each count is the number of addresses charged to it. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void countsAreThoseOfTheTable(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 3_000; i++) {
      long dpid = random.nextInt(2) == 0 ? SWITCH : SWITCH + 1;
      long port = 1L + random.nextInt(4);
      switch (random.nextInt(40)) {
        case 0 -> network.store(ForgetLearned.atPort(dpid, port));
        case 1 -> network.store(ForgetLearned.aged(dpid));
        case 2 -> network.passSeconds(random.nextInt(120));
        case 3 -> {
          if (random.nextInt(10) == 0) {
            network.store(ForgetLearned.all(dpid));
          }
        }
        default -> learn(dpid, random.nextInt(3), port, HOST + random.nextInt(60), 20);
      }
    }
    Reply reply = network.store(new Command.Scan(LearnedTable.NAME, Bytes.empty(), null, 10_000));
    for (long dpid : new long[] {SWITCH, SWITCH + 1}) {
      List<Long> charged =
          ((Reply.Entries) reply)
              .entries().stream()
                  .filter(entry -> entry.key().startsWith(Bytes.wrap(bytes(dpid))))
                  .map(entry -> LearnedTable.Learned.of(entry).chargedPort())
                  .toList();
      assertThat(onSwitch(dpid)).isEqualTo(charged.size());
      for (long port = 1; port <= 4; port++) {
        long wanted = port;
        assertThat(atPort(dpid, port))
            .isEqualTo(charged.stream().filter(one -> one == wanted).count())
            .isLessThanOrEqualTo(20);
      }
    }
  }
}
