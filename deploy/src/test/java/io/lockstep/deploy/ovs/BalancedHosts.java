package io.lockstep.deploy.ovs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.loadbalancer.state.BalancerCommands;
import io.lockstep.apps.loadbalancer.state.ConfigOutcome;
import io.lockstep.apps.loadbalancer.state.Configure;
import io.lockstep.apps.loadbalancer.state.Ipv4;
import io.lockstep.apps.loadbalancer.state.Member;
import io.lockstep.apps.loadbalancer.state.Pool;
import io.lockstep.apps.loadbalancer.state.ServiceAddress;
import io.lockstep.apps.loadbalancer.state.TransportProtocol;
import io.lockstep.apps.loadbalancer.state.VirtualIp;
import io.lockstep.openflow.channel.ovs.OvsHost;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Servers and clients in namespaces that talk real TCP and UDP. A server answers each line or
 * datagram with its name and what came, and a request of HTTP with its name.
 */
final class BalancedHosts {
  private static final int MEMBER_PORT = 8_080;

  private static final String SERVER =
      """
      import socket, sys, threading
      s = socket.socket()
      s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
      s.bind((sys.argv[1], 8080))
      s.listen(128)
      def serve(c):
        f = c.makefile('rwb', 0)
        try:
          for line in f:
            if line.startswith(b'GET '):
              while f.readline() not in (b'\\r\\n', b''):
                pass
              f.write(b'HTTP/1.0 200 OK\\r\\nConnection: close\\r\\n\\r\\n' + sys.argv[2].encode())
              f.close()
              c.close()
              return
            f.write(sys.argv[2].encode() + b' ' + line)
        except OSError:
          pass
      print('ready', flush=True)
      while True:
        c, a = s.accept()
        threading.Thread(target=serve, args=(c,), daemon=True).start()
      """;

  /** Opens connections one after the other and prints who answers each. */
  private static final String CLIENT =
      """
      import socket, sys
      for i in range(int(sys.argv[3])):
        c = socket.create_connection((sys.argv[1], int(sys.argv[2])), 30)
        f = c.makefile('rwb', 0)
        f.write(b'hello\\n')
        print(f.readline().split()[0].decode())
        c.close()
      """;

  private static final String DATAGRAM_SERVER =
      """
      import socket, sys
      s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      s.bind((sys.argv[1], 8080))
      print('ready', flush=True)
      while True:
        data, peer = s.recvfrom(2000)
        s.sendto(sys.argv[2].encode() + b' ' + data, peer)
      """;

  /**
   * Sends datagrams from one port, each when the one before is answered, and prints who answers.
   */
  private static final String DATAGRAMS =
      """
      import socket, sys
      s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      s.bind(('', int(sys.argv[3])))
      s.connect((sys.argv[1], int(sys.argv[2])))
      s.settimeout(30)
      for i in range(int(sys.argv[4])):
        s.send(b'%d' % i)
        name, number = s.recv(2000).split()
        assert int(number) == i, number
        print(name.decode())
      """;

  /** One connection that sends a number each 20 ms until its input ends, and checks each answer. */
  private static final String LASTING =
      """
      import select, socket, sys
      c = socket.socket()
      c.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
      c.bind(('', int(sys.argv[3])))
      c.settimeout(60)
      c.connect((sys.argv[1], int(sys.argv[2])))
      f = c.makefile('rwb', 0)
      i = 0
      while not select.select([sys.stdin], [], [], 0.02)[0]:
        i += 1
        f.write(b'%d\\n' % i)
        name, number = f.readline().split()
        assert int(number) == i, number
        print(name.decode(), i, flush=True)
      """;

  private static final String REFUSED =
      """
      import socket, sys
      try:
        socket.create_connection((sys.argv[1], int(sys.argv[2])), 30)
      except ConnectionRefusedError:
        print('refused')
      """;

  /** Connects from a port that has another connection; prints what became of it within 2 s. */
  private static final String SECOND =
      """
      import socket, sys
      c = socket.socket()
      c.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
      c.bind(('', int(sys.argv[3])))
      c.settimeout(2)
      try:
        c.connect((sys.argv[1], int(sys.argv[2])))
        print('connected')
      except socket.timeout:
        print('timed out')
      """;

  private BalancedHosts() {}

  /** Starts a server at a host, and waits until it listens. */
  static void serve(OvsHost host, String name) {
    Process server = host.spawn("python3", "-u", "-c", SERVER, host.ip(), name);
    assertThat(line(reader(server))).isEqualTo("ready");
  }

  /** Starts a server of datagrams at a host, and waits until it is bound. */
  static void serveDatagrams(OvsHost host, String name) {
    Process server = host.spawn("python3", "-u", "-c", DATAGRAM_SERVER, host.ip(), name);
    assertThat(line(reader(server))).isEqualTo("ready");
  }

  /** The servers that answered datagrams from one port of a host, each once. */
  static Set<String> datagrams(OvsHost from, String ip, int port, int fromPort, int count) {
    List<String> names =
        from.must(
                "python3",
                "-c",
                DATAGRAMS,
                ip,
                String.valueOf(port),
                String.valueOf(fromPort),
                String.valueOf(count))
            .lines()
            .toList();
    assertThat(names).hasSize(count);
    return Set.copyOf(names);
  }

  /** How many of so many requests of HTTP each server answered. */
  static Map<String, Integer> curl(OvsHost from, String ip, int port, int requests) {
    TreeMap<String, Integer> answers = new TreeMap<>();
    String url = "http://" + ip + ":" + port + "/";
    for (int i = 0; i < requests; i++) {
      answers.merge(from.must("curl", "-sS", "--max-time", "30", url), 1, Integer::sum);
    }
    return answers;
  }

  /** What becomes of a connection from a port that has another one: as {@link #SECOND} says. */
  static String second(OvsHost from, String ip, int port, int fromPort) {
    return from.must("python3", "-c", SECOND, ip, String.valueOf(port), String.valueOf(fromPort))
        .trim();
  }

  /** How many of so many connections each server answered. */
  static Map<String, Integer> connect(OvsHost from, String ip, int port, int connections) {
    TreeMap<String, Integer> answers = new TreeMap<>();
    from.must("python3", "-c", CLIENT, ip, String.valueOf(port), String.valueOf(connections))
        .lines()
        .forEach(name -> answers.merge(name, 1, Integer::sum));
    return answers;
  }

  /** Whether a connection is refused at once. */
  static boolean isRefused(OvsHost from, String ip, int port) {
    return from.must("python3", "-c", REFUSED, ip, String.valueOf(port)).contains("refused");
  }

  /** A connection that goes on; each line says who answered and how many answers there were. */
  static final class Lasting implements AutoCloseable {
    private final Process process;
    private final BufferedReader lines;
    private String server = "";
    private int answers;

    Lasting(OvsHost from, String ip, int port) {
      this(from, ip, port, 0);
    }

    /** One that comes from a port; 0 for any. */
    Lasting(OvsHost from, String ip, int port, int fromPort) {
      process =
          from.spawn(
              "python3", "-u", "-c", LASTING, ip, String.valueOf(port), String.valueOf(fromPort));
      lines = reader(process);
      server = next();
    }

    private String next() {
      String[] words = Objects.requireNonNull(line(lines), "the connection ended").split(" ", -1);
      assertThat(words).as("an answer").hasSize(2);
      answers = Integer.parseInt(words[1]);
      return words[0];
    }

    String server() {
      return server;
    }

    /** Waits for so many further answers, all from the same server. */
    void goesOn(int more) {
      int until = answers + more;
      while (answers < until) {
        assertThat(next()).isEqualTo(server);
      }
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  /** A bulk transfer of iperf3 until it is closed; each line is a tenth of a second of it. */
  static final class Bulk implements AutoCloseable {
    private static final Pattern RATE = Pattern.compile(".* (\\d+(?:\\.\\d+)?) Kbits/sec.*");
    private final Process process;
    private final BufferedReader lines;

    /** Starts a server at a member and a client that reaches it by a virtual IP. */
    Bulk(OvsHost member, int memberPort, OvsHost from, String ip, int port) {
      Process server =
          member.spawn("iperf3", "-s", "--forceflush", "-p", String.valueOf(memberPort));
      BufferedReader ready = reader(server);
      String said = line(ready);
      while (said != null && !said.contains("listening")) {
        said = line(ready);
      }
      assertThat(said).as("iperf3 listens").isNotNull();
      process =
          from.spawn(
              "iperf3",
              "-c",
              ip,
              "-p",
              String.valueOf(port),
              "-b",
              "10M",
              "-t",
              "0",
              "-i",
              "0.1",
              "-f",
              "k",
              "--forceflush");
      lines = reader(process);
    }

    /** Waits until something comes through in so many tenths of a second from now on. */
    void goesOn(int more) {
      while (isReady(lines)) {
        line(lines);
      }
      int left = more;
      while (left > 0) {
        String said = Objects.requireNonNull(line(lines), "the transfer ended");
        Matcher rate = RATE.matcher(said);
        left -= rate.matches() && Double.parseDouble(rate.group(1)) > 0 ? 1 : 0;
      }
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  private static boolean isReady(BufferedReader reader) {
    try {
      return reader.ready();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable String line(BufferedReader reader) {
    try {
      return reader.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A TCP service of hosts that are its members, named as the hosts are. */
  static void configure(Function<Command, Reply> store, String ip, int port, OvsHost... members) {
    service(store, "web", TransportProtocol.TCP, ip, port);
    for (OvsHost host : members) {
      change(store, BalancerCommands.put(member(host, Member.State.ENABLED), Configure.ABSENT));
    }
  }

  /** A virtual IP and its pool, without members. */
  static void service(
      Function<Command, Reply> store,
      String name,
      TransportProtocol protocol,
      String ip,
      int port) {
    change(
        store,
        BalancerCommands.put(
            Pool.usual(name, Pool.Method.ROUND_ROBIN, Pool.Probe.NONE), Configure.ABSENT));
    ServiceAddress service = new ServiceAddress(protocol, Ipv4.parse("address", ip), port);
    change(store, BalancerCommands.put(VirtualIp.usual(name, service, name), Configure.ABSENT));
  }

  /** Adds a member to the pool of {@link #service}. */
  static void addMember(Function<Command, Reply> store, String pool, OvsHost host, int port) {
    Member member =
        new Member(
            pool + "-" + host.name(),
            pool,
            Ipv4.parse("address", host.ip()),
            port,
            1,
            Member.State.ENABLED);
    change(store, BalancerCommands.put(member, Configure.ABSENT));
  }

  static Member member(OvsHost host, Member.State state) {
    return new Member(host.name(), "web", Ipv4.parse("address", host.ip()), MEMBER_PORT, 1, state);
  }

  static void change(Function<Command, Reply> store, Command command) {
    assertThat(Objects.requireNonNull(ConfigOutcome.of(store.apply(command))).kind())
        .isEqualTo(ConfigOutcome.Kind.DONE);
  }
}
