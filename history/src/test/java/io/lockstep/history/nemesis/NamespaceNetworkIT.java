package io.lockstep.history.nemesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Datagrams between the namespaces of replicas: which arrive, and which do not. */
@Timeout(120)
class NamespaceNetworkIT {
  private static final int PORT = 9;
  private static final int PATIENCE_SECONDS = 30;

  private final String id =
      String.format(
          "lockstep-%d-%04x", ProcessHandle.current().pid(), (int) System.nanoTime() & 0xffff);
  private final List<Talker> talkers = new ArrayList<>();
  private Namespaces namespaces;
  private NamespaceNetwork network;
  private int datagrams;

  @BeforeEach
  void open() throws Exception {
    assumeTrue(
        System.getProperty("user.name", "").equals("root") && Tool.succeeds("ip netns list"),
        "network namespaces need root and iproute2");
    namespaces = Namespaces.create(id);
    network = new NamespaceNetwork(id);
    for (int replica = 0; replica < Cluster.SIZE; replica++) {
      talkers.add(new Talker(network.before(replica)));
    }
    for (Talker talker : talkers) {
      assertThat(talker.heard.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("ready");
    }
  }

  @AfterEach
  void close() throws Exception {
    for (Talker talker : talkers) {
      talker.process.destroyForcibly();
    }
    if (namespaces != null) {
      namespaces.close();
      assertThat(Tool.run("ip netns list")).doesNotContain(id);
    }
  }

  /** Datagrams of one way arrive in order, so a later one tells what became of an earlier one. */
  private String sent(int from, int to) throws IOException {
    String text = "datagram-" + datagrams++;
    talkers.get(from).say(Namespaces.host(to) + " " + text);
    return text;
  }

  private void arrives(int from, int to) throws Exception {
    String text = sent(from, to);
    assertThat(talkers.get(to).heard.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(text);
  }

  @Test
  void eachDirectionIsLostByItself() throws Exception {
    arrives(0, 1);
    arrives(1, 0);
    network.treat(0, 1, Treatment.DROP, Treatment.PASS, 0);
    sent(0, 1);
    arrives(1, 0);
    arrives(2, 1);
    arrives(0, 2);
    network.treat(0, 2, Treatment.PASS, Treatment.DROP, 0);
    sent(2, 0);
    arrives(0, 2);
    arrives(1, 0);
    network.heal();
    arrives(0, 1);
    arrives(2, 0);
  }

  @Test
  void aSlowLinkLosesNothingThatIsShort() throws Exception {
    assumeTrue(network.canDelay(), "the kernel has neither netem nor htb");
    network.treat(0, 1, Treatment.DELAY, Treatment.DELAY, 20);
    network.treat(0, 2, Treatment.DELAY, Treatment.DELAY, 20);
    arrives(0, 1);
    arrives(1, 0);
    arrives(2, 1);
    network.heal();
    arrives(0, 1);
  }

  @Test
  void namesThatAreTakenAreLeftAlone() throws Exception {
    assertThatThrownBy(() -> Namespaces.create(id)).isInstanceOf(IOException.class);
    arrives(0, 1);
  }

  /** A process in a namespace. */
  private static final class Talker {
    private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final Process process;
    private final Writer to;

    Talker(List<String> before) throws IOException {
      List<String> command = new ArrayList<>(before);
      command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
      command.addAll(List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
      command.add(System.getProperty("java.class.path", ""));
      command.add(Speaker.class.getName());
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
      to = process.outputWriter(StandardCharsets.UTF_8);
      BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
      Thread reader = new Thread(() -> lines.lines().forEach(heard::add), "talker");
      reader.setDaemon(true);
      reader.start();
    }

    void say(String line) throws IOException {
      to.write(line + "\n");
      to.flush();
    }
  }

  /** Prints what arrives; sends {@code ADDRESS TEXT} for each such line; ends with its input. */
  static final class Speaker {
    private Speaker() {}

    /** Runs. */
    public static void main(String[] arguments) throws IOException {
      try (DatagramSocket socket = new DatagramSocket(PORT)) {
        Thread listener = new Thread(() -> listen(socket), "listener");
        listener.setDaemon(true);
        listener.start();
        System.out.println("ready");
        BufferedReader in =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          int space = line.indexOf(' ');
          byte[] text = line.substring(space + 1).getBytes(StandardCharsets.UTF_8);
          InetAddress to = InetAddress.getByName(line.substring(0, space));
          socket.send(new DatagramPacket(text, text.length, to, PORT));
        }
      }
    }

    private static void listen(DatagramSocket socket) {
      DatagramPacket packet = new DatagramPacket(new byte[100], 100);
      try {
        while (true) {
          socket.receive(packet);
          System.out.println(
              new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8));
        }
      } catch (IOException closed) {
        // Its input has ended.
      }
    }
  }
}
