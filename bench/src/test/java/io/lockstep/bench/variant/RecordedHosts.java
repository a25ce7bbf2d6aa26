package io.lockstep.bench.variant;

import io.lockstep.bench.variant.BalancedService.Server;
import io.lockstep.openflow.channel.ovs.OpenVSwitch;
import io.lockstep.openflow.channel.ovs.OvsHost;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * A bridge of Open vSwitch with a client and two servers, as the paper's single switch with its
 * pair of hosts, and what they send while a trace is recorded. Used by one thread.
 */
final class RecordedHosts {
  /** The bridge's datapath id. */
  static final long DPID = 0xb1;

  private static final String BRIDGE = "b1";
  private static final String VIP = "10.0.0.100";
  private static final int MEMBER_PORT = 8_080;
  private static final int FIRST_NEW_HOST = 101;

  /** Beyond the usual one, so that a busy machine has time. */
  private static final int PING_SECONDS = 60;

  /** Accepts connections, and answers each with one line. */
  private static final String SERVER =
      """
      import socket, sys
      s = socket.socket()
      s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
      s.bind((sys.argv[1], 8080))
      s.listen(128)
      print('ready', flush=True)
      while True:
        try:
          c, a = s.accept()
          c.sendall(b'hello')
          c.close()
        except ConnectionError:
          pass
      """;

  /**
   * Connects so many times one after the other, each time asking for the MAC address first, and
   * then so many times four at once. With the fourth argument {@code lenient} a connection may
   * break: Open vSwitch sends up some more packets of a connection behind the one that installed
   * its entries, and each such packet takes the next member in the paper's variants.
   */
  private static final String CLIENT =
      """
      import socket, subprocess, sys, threading
      def connect():
        try:
          c = socket.create_connection((sys.argv[1], 80), 20)
          assert c.recv(100) == b'hello'
          c.close()
        except OSError:
          if sys.argv[4] != 'lenient':
            raise
      for i in range(int(sys.argv[2])):
        subprocess.run(['ip', 'neigh', 'flush', 'dev', 'eth0'], check=True)
        connect()
      for i in range(int(sys.argv[3])):
        all = [threading.Thread(target=connect) for k in range(4)]
        for one in all:
          one.start()
        for one in all:
          one.join()
      """;

  private final OpenVSwitch ovs;
  private final OvsHost client;
  private final OvsHost one;
  private final OvsHost two;

  /** Adds the bridge and its hosts to an Open vSwitch that has none, and connects the bridge. */
  RecordedHosts(OpenVSwitch ovs, List<InetSocketAddress> controllers) {
    this.ovs = ovs;
    ovs.addBridge(BRIDGE, DPID);
    client = ovs.addHost(BRIDGE, "c", "10.0.0.200/24", "02:00:00:00:00:0a");
    one = ovs.addHost(BRIDGE, "m1", "10.0.0.1/24", "02:00:00:00:00:01");
    two = ovs.addHost(BRIDGE, "m2", "10.0.0.2/24", "02:00:00:00:00:02");
    ovs.setControllers(
        BRIDGE,
        controllers.stream()
            .map(address -> "tcp:127.0.0.1:" + address.getPort())
            .toArray(String[]::new));
  }

  /** The service whose virtual IP the client connects to. */
  static BalancedService service() {
    return new BalancedService(
        "web",
        0x0a00_0064,
        0x024c_0a00_0064L,
        "servers",
        List.of(
            new Server("m1", 0x0a00_0001, MEMBER_PORT),
            new Server("m2", 0x0a00_0002, MEMBER_PORT)));
  }

  /** Waits until the client reaches both servers. */
  void awaitPings() {
    ping(client, one.ip());
    ping(client, two.ip());
  }

  private void ping(OvsHost from, String ip) {
    for (int second = 0; second < PING_SECONDS; second++) {
      if (from.succeeds("ping", "-n", "-c", "1", "-W", "1", ip)) {
        return;
      }
    }
    throw new AssertionError(
        from.name() + " does not reach " + ip + "\n" + ovs.ofctl("dump-flows", BRIDGE));
  }

  /**
   * The client pings a server that is a new device each time, with another MAC address and IP: ARP,
   * an ARP reply of an unknown device, ICMP of known ones. In every third round the new device
   * first sends a datagram to a station that does not exist.
   */
  void pingNewDevices(int rounds) {
    for (int round = 0; round < rounds; round++) {
      String number = String.format(Locale.ROOT, "%02x", round);
      one.must("ip", "link", "set", "eth0", "address", "02:00:00:00:01:" + number);
      String ip = "10.0.0." + (FIRST_NEW_HOST + round);
      one.must("ip", "address", "flush", "dev", "eth0");
      one.must("ip", "address", "add", ip + "/24", "dev", "eth0");
      client.must("ip", "neigh", "flush", "dev", "eth0");
      if (round % 3 == 0) {
        String absent = "02:00:00:00:02:" + number;
        one.must("ip", "neigh", "replace", "10.0.0.250", "lladdr", absent, "dev", "eth0");
        one.must("bash", "-c", "echo > /dev/udp/10.0.0.250/9");
      }
      ping(client, ip);
      ping(client, two.ip());
    }
  }

  /** Starts the servers; they end with the Open vSwitch. */
  void serve() throws IOException {
    for (OvsHost server : List.of(one, two)) {
      Process process = server.spawn("python3", "-u", "-c", SERVER, server.ip());
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      if (!"ready".equals(lines.readLine())) {
        throw new AssertionError("the server of " + server.name() + " does not listen");
      }
    }
  }

  /**
   * The client connects to the virtual IP one by one, and then four at once.
   *
   * @param strictly whether each connection must be answered
   */
  void connect(int times, int timesFour, boolean strictly) {
    client.must(
        "python3",
        "-c",
        CLIENT,
        VIP,
        String.valueOf(times),
        String.valueOf(timesFour),
        strictly ? "strict" : "lenient");
  }
}
