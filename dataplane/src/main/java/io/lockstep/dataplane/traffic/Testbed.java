package io.lockstep.dataplane.traffic;

import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.FlowRemoved;
import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.dataplane.model.PacketIn;
import io.lockstep.dataplane.model.SwitchEvents;
import io.lockstep.dataplane.model.SwitchFeatures;
import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.model.SwitchPort;
import io.lockstep.dataplane.packet.Endpoints;
import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.packet.TcpSegment;
import io.lockstep.dataplane.profile.HardwareProfile;
import java.util.Optional;

/**
 * A switch under test between two servers, server 1 at port 1 and server 2 at port 2, with links of
 * the switch's line rate (Fig. 1 of "Performance Analysis of SDN Switches with Hardware and
 * Software Flow Tables"). There is no controller: notices are lost.
 */
public final class Testbed {
  /** The server at port 1. */
  public static final Mac MAC_1 = new Mac(0x0200_0000_0001L);

  /** The server at port 2. */
  public static final Mac MAC_2 = new Mac(0x0200_0000_0002L);

  /** The TCP port of iperf's server, which is server 2. */
  public static final int IPERF_PORT = 5001;

  private static final int CLIENT_PORT = 40_000;
  public static final Ipv4 ADDRESS_1 = new Ipv4(0x0a00_0001);
  public static final Ipv4 ADDRESS_2 = new Ipv4(0x0a00_0002);

  /** A server's own queue has no end. */
  private static final long NO_DROPS = Long.MAX_VALUE / 2;

  private final VirtualTime time = new VirtualTime();
  private final SwitchModel model;
  private final SwitchUnderTest target;
  private final Link uplink1;
  private final Link uplink2;

  public Testbed(HardwareProfile profile) {
    int tables = profile.tables().size();
    this.model = new SwitchModel(new SwitchFeatures(1, tables, 0, 0, 0), profile, new NoListener());
    model.addPort(1, "server1", new Mac(0x0e00_0000_0001L), true, 0);
    model.addPort(2, "server2", new Mac(0x0e00_0000_0002L), true, 0);
    this.target = new SwitchUnderTest(model, time);
    this.uplink1 = new Link(profile.lineRateMbit(), NO_DROPS);
    this.uplink2 = new Link(profile.lineRateMbit(), NO_DROPS);
  }

  public VirtualTime time() {
    return time;
  }

  public SwitchModel model() {
    return model;
  }

  /** Carries a flow-mod out now; empty when done, else the error. */
  public Optional<ModelError> apply(FlowMod mod) {
    return model.flowMod(mod, time.nowNanos());
  }

  /** The way of server 1's packets to a TCP port of server 2. */
  public OneWay forth(int tcpPort) {
    Endpoints ends = new Endpoints(MAC_1, ADDRESS_1, MAC_2, ADDRESS_2);
    return new OneWay(target, 1, header(ends, CLIENT_PORT, tcpPort), 2, uplink1);
  }

  /** The way of server 2's packets from a TCP port to server 1. */
  public OneWay back(int tcpPort) {
    Endpoints ends = new Endpoints(MAC_2, ADDRESS_2, MAC_1, ADDRESS_1);
    return new OneWay(target, 2, header(ends, tcpPort, CLIENT_PORT), 1, uplink2);
  }

  /** An iperf of server 1 with server 2, not yet started. */
  public TcpFlow iperf() {
    return new TcpFlow(forth(IPERF_PORT), back(IPERF_PORT));
  }

  /** Lets time pass and looks at what comes through. */
  public Load run(Flow flow, double seconds) {
    return Load.over(target, flow, seconds);
  }

  private static byte[] header(Endpoints ends, int from, int to) {
    return new TcpSegment(ends, from, to, 0, 0, TcpSegment.ACK, new byte[0]).encode();
  }

  /** Traffic is asked of the tables themselves; nobody is there to be told. */
  private static final class NoListener implements SwitchEvents {
    @Override
    public void transmit(int port, byte[] frame) {}

    @Override
    public void packetIn(PacketIn packetIn) {}

    @Override
    public void flowRemoved(FlowRemoved removed) {}

    @Override
    public void portChanged(SwitchPort port, PortReason reason) {}

    @Override
    public void deadlineChanged() {}

    @Override
    public void channelAllowed(boolean allowed) {}

    @Override
    public void dropped(int inPort, byte[] frame, Drop why) {}
  }
}
