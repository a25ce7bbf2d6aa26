package org.example.blocklist;

import io.lockstep.core.app.*;
import io.lockstep.core.topology.NetworkPicture;
import io.lockstep.store.*;
import java.util.List;
import java.util.Map;
import org.onlab.packet.MacAddress;
import org.onosproject.net.*;

/** Needs no test library: 'java -ea' runs main, and Maven the methods that begin with 'test'. */
public class BlockListTest {
  private static final long BLOCKED = 0x0200_0000_0001L;
  private final PacketApplication blockList = made("02:00:00:00:00:01");

  private static PacketApplication made(String host) {
    BlockList provider = new BlockList();
    return provider.create(
        ApplicationConfiguration.usual(provider.configuration()).with("hosts", List.of(host)));
  }

  public void testOthersPass() {
    assert blockList.packetIn(new Packet(2, 3), NetworkPicture.UNKNOWN) == Decision.PASS;
  }

  public void testNothingIsSentToABlockedHost() {
    assert blockList.packetIn(new Packet(2, BLOCKED), NetworkPicture.UNKNOWN) == Decision.DROP;
  }

  public void testABlockedHostIsCountedAndThenDroppedByItsSwitch() {
    Decision decision = blockList.packetIn(new Packet(BLOCKED, 2), NetworkPicture.UNKNOWN);
    Decision.Ask ask = (Decision.Ask) decision;
    assert ask.command()
        .equals(new Command.Increment(BlockList.TABLE, Bytes.utf8("02:00:00:00:00:01"), 1));
    Decision.Act act = (Decision.Act) ask.then().apply(new Reply.Counter(1, 1));
    Instruction.InstallFlow flow = (Instruction.InstallFlow) act.instructions().get(0);
    assert act.instructions().size() == 1 && !act.passesOn();
    assert flow.hardTimeoutSeconds() == 60;
  }

  public void testTriesAreShownAsTheStoreCountsThem() {
    Noun tries = new BlockList().nouns().get(0);
    Bytes three = Bytes.copyOf(new byte[] {0, 0, 0, 0, 0, 0, 0, 3});
    Entry entry = new Entry(Bytes.utf8("02:00:00:00:00:01"), three, 9);
    TableRange range = tries.reads().apply(Map.of()).get(0);
    assert range.equals(TableRange.all(BlockList.TABLE));
    NounInput input =
        new NounInput(
            Map.of(),
            ApplicationConfiguration.usual(List.of()),
            NetworkPicture.UNKNOWN,
            List.of(new TableSnapshot(range, List.of(entry), true)),
            0);
    assert tries.answer().apply(input).rows().equals(List.of(List.of("02:00:00:00:00:01", "3")));
  }

  public void testAnAddressThatIsNoneIsRefused() {
    try {
      made("02:00:00:00:00");
      assert false : "accepted";
    } catch (IllegalArgumentException expected) {
      assert expected.getMessage().contains("hosts") : expected.getMessage();
    }
  }

  private record Packet(long from, long to) implements PacketView {
    @Override
    public DeviceId deviceId() {
      return DeviceId.deviceId("of:0000000000000001");
    }

    @Override
    public long dpid() {
      return 1;
    }

    @Override
    public PortNumber inPort() {
      return PortNumber.portNumber(1);
    }

    @Override
    public MacAddress source() {
      return MacAddress.valueOf(from);
    }

    @Override
    public MacAddress destination() {
      return MacAddress.valueOf(to);
    }

    @Override
    public int etherType() {
      return 0x0800;
    }

    @Override
    public int vlanId() {
      return -1;
    }

    @Override
    public byte[] frame() {
      return new byte[60];
    }
  }

  public static void main(String[] arguments) throws Exception {
    boolean asserts = false;
    assert asserts = true;
    if (!asserts) {
      throw new IllegalStateException("run it with java -ea");
    }
    int passed = 0;
    for (var method : BlockListTest.class.getMethods()) {
      if (method.getName().startsWith("test")) {
        method.invoke(new BlockListTest());
        passed++;
      }
    }
    System.out.println(passed + " tests passed");
  }
}
