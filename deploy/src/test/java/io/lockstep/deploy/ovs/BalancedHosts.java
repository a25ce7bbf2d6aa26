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
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Servers and clients in namespaces that talk real TCP, in Python: a server answers each line with
 * its name and the line.
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

  /** One connection that sends a number each 20 ms until its input ends, and checks each answer. */
  private static final String LASTING =
      """
      import select, socket, sys
      c = socket.create_connection((sys.argv[1], int(sys.argv[2])), 30)
      c.settimeout(60)
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

  private BalancedHosts() {}

  /** Starts a server at a host, and waits until it listens. */
  static void serve(OvsHost host, String name) {
    Process server = host.spawn("python3", "-u", "-c", SERVER, host.ip(), name);
    assertThat(line(reader(server))).isEqualTo("ready");
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
      process = from.spawn("python3", "-u", "-c", LASTING, ip, String.valueOf(port));
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

  private static BufferedReader reader(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
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
    ServiceAddress service =
        new ServiceAddress(TransportProtocol.TCP, Ipv4.parse("address", ip), port);
    change(
        store,
        BalancerCommands.put(
            Pool.usual("web", Pool.Method.ROUND_ROBIN, Pool.Probe.NONE), Configure.ABSENT));
    change(store, BalancerCommands.put(VirtualIp.usual("web", service, "web"), Configure.ABSENT));
    for (OvsHost host : members) {
      change(store, BalancerCommands.put(member(host, Member.State.ENABLED), Configure.ABSENT));
    }
  }

  static Member member(OvsHost host, Member.State state) {
    return new Member(host.name(), "web", Ipv4.parse("address", host.ip()), MEMBER_PORT, 1, state);
  }

  static void change(Function<Command, Reply> store, Command command) {
    assertThat(Objects.requireNonNull(ConfigOutcome.of(store.apply(command))).kind())
        .isEqualTo(ConfigOutcome.Kind.DONE);
  }
}
