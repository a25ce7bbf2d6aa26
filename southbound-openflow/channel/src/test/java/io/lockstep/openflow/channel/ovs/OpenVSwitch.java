package io.lockstep.openflow.channel.ovs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Open vSwitch in user space: a database and a switch daemon of its own, bridges joined by patch
 * ports, hosts in network namespaces. Needs root, no kernel module. Bridges and interfaces carry a
 * prefix of this instance; {@link #close}, also called when the JVM ends, takes away this
 * instance's and nothing else. One instance runs at a time on the machine ({@link DatapathTurn}):
 * {@link #start} waits for the others. One thread at a time.
 */
public final class OpenVSwitch implements AutoCloseable {
  /** Linux's bound for the name of a network interface. */
  private static final int MAX_INTERFACE_NAME = 15;

  /** Linux's bound for the path of a socket, with the name of the longest one in the directory. */
  private static final int MAX_RUN_DIRECTORY = 107 - "/ovs-vswitchd.ctl".length();

  private static final int MAX_PREFIX_ATTEMPTS = 20;

  private static final List<String> PROGRAMS =
      List.of(
          "ovs-vswitchd", "ovsdb-server", "ovsdb-tool", "ovs-vsctl", "ovs-ofctl", "ip", "ethtool");
  private static final Path SCHEMA = Path.of("/usr/share/openvswitch/vswitch.ovsschema");

  private final Path runDirectory;
  private final String prefix;
  private final Commands commands;
  private final Thread closeAtExit = new Thread(this::tearDown, "ovs-teardown");
  private final Map<String, OvsHost> hosts = Collections.synchronizedMap(new LinkedHashMap<>());
  private final List<String> bridges = new CopyOnWriteArrayList<>();
  private final List<Process> spawned = new CopyOnWriteArrayList<>();
  private final List<String> cables = new CopyOnWriteArrayList<>();
  private int patches;
  private final DatapathTurn turn;
  private boolean closed;

  private OpenVSwitch(Path runDirectory, DatapathTurn turn) {
    this.turn = turn;
    this.runDirectory = runDirectory.toAbsolutePath();
    this.commands = new Commands(Map.of("OVS_RUNDIR", this.runDirectory.toString()));
    this.prefix = reservePrefix(commands);
  }

  /** Why Open vSwitch cannot run here, for people, or null where it can. */
  public static @Nullable String whyUnavailable() {
    if (!"root".equals(System.getProperty("user.name"))) {
      return "needs root for network namespaces; run the tests as root";
    }
    for (String program : PROGRAMS) {
      if (!Commands.exists(program)) {
        return program
            + " is not installed; on Debian or Ubuntu: apt-get install openvswitch-switch iproute2"
            + " ethtool";
      }
    }
    return Files.exists(SCHEMA) ? null : SCHEMA + " is missing; install openvswitch-switch";
  }

  /** Skips the calling test, saying why, where Open vSwitch cannot run. */
  public static void assumeAvailable() {
    String reason = whyUnavailable();
    assumeTrue(reason == null, () -> "skipped without Open vSwitch: " + reason);
  }

  /**
   * Starts the daemons, when it is their turn.
   *
   * @param runDirectory an empty directory with a path of at most 90 characters
   */
  public static OpenVSwitch start(Path runDirectory) {
    if (runDirectory.toAbsolutePath().toString().length() > MAX_RUN_DIRECTORY) {
      throw new IllegalArgumentException("path too long for sockets in it: " + runDirectory);
    }
    DatapathTurn turn = DatapathTurn.take();
    OpenVSwitch created;
    try {
      created = new OpenVSwitch(runDirectory, turn);
    } catch (RuntimeException e) {
      turn.close();
      throw e;
    }
    Runtime.getRuntime().addShutdownHook(created.closeAtExit);
    try {
      created.startDaemons();
    } catch (RuntimeException e) {
      created.close();
      throw e;
    }
    return created;
  }

  /**
   * A prefix that no other instance of this machine has, of another process neither: an empty
   * namespace of that name is the reservation, since the system makes it only once.
   */
  private static String reservePrefix(Commands commands) {
    Random random = new Random();
    Commands.Result made = new Commands.Result(1, "");
    for (int attempt = 0; attempt < MAX_PREFIX_ATTEMPTS; attempt++) {
      String candidate = String.format("k%04x", random.nextInt(0x10000));
      made = commands.run(List.of("ip", "netns", "add", candidate));
      if (made.ok()) {
        return candidate;
      }
    }
    throw new IllegalStateException("cannot reserve names for a network: " + made.output());
  }

  private String in(String file) {
    return runDirectory.resolve(file).toString();
  }

  private void startDaemons() {
    commands.must(List.of("ovsdb-tool", "create", in("conf.db"), SCHEMA.toString()));
    commands.must(
        List.of(
            "ovsdb-server",
            in("conf.db"),
            "--remote=punix:" + in("db.sock"),
            "--unixctl=" + in("ovsdb-server.ctl"),
            "--pidfile=" + in("ovsdb-server.pid"),
            "--log-file=" + in("ovsdb-server.log"),
            "-vconsole:off",
            "--detach",
            "--no-chdir"));
    vsctl("--no-wait", "init");
    commands.must(
        List.of(
            "ovs-vswitchd",
            "unix:" + in("db.sock"),
            "--unixctl=" + in("ovs-vswitchd.ctl"),
            "--pidfile=" + in("ovs-vswitchd.pid"),
            "--log-file=" + in("ovs-vswitchd.log"),
            "-vconsole:off",
            "--detach",
            "--no-chdir"));
  }

  /** The name that a bridge or interface of this instance has in the system. */
  public String systemName(String name) {
    String full = prefix + name;
    if (full.length() > MAX_INTERFACE_NAME) {
      throw new IllegalArgumentException(
          name + ": at most " + (MAX_INTERFACE_NAME - prefix.length()) + " characters");
    }
    return full;
  }

  /**
   * Adds a bridge that speaks OpenFlow 1.3 and forwards nothing without a controller.
   *
   * @param name at most 10 characters
   * @param controllers for example {@code tcp:127.0.0.1:6653}
   */
  public void addBridge(String name, long dpid, String... controllers) {
    String bridge = systemName(name);
    bridges.add(bridge);
    List<String> command =
        new ArrayList<>(
            List.of(
                "add-br",
                bridge,
                "--",
                "set",
                "bridge",
                bridge,
                "datapath_type=netdev",
                "fail_mode=secure",
                "protocols=OpenFlow13",
                String.format("other_config:datapath-id=%016x", dpid),
                "other_config:disable-in-band=true"));
    vsctl(command.toArray(new String[0]));
    setControllers(name, controllers);
  }

  /** Takes a bridge away; hosts on it keep their namespaces. */
  public void deleteBridge(String name) {
    vsctl("--if-exists", "del-br", systemName(name));
  }

  /** Replaces a bridge's controllers; it tries each again within a second. */
  public void setControllers(String name, String... controllers) {
    vsctl(ControllerSettings.of(systemName(name), controllers));
  }

  /** What the switch has logged of its connections. */
  public List<String> connectionLog() {
    try {
      return Files.readAllLines(Path.of(in("ovs-vswitchd.log"))).stream()
          .filter(line -> line.contains("rconn") || line.contains("poll_loop"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Joins two bridges with a pair of patch ports. */
  public void patch(String a, String b) {
    patches++;
    String left = systemName("p" + patches + "a");
    String right = systemName("p" + patches + "b");
    vsctl(
        "add-port",
        systemName(a),
        left,
        "--",
        "set",
        "interface",
        left,
        "type=patch",
        "options:peer=" + right);
    vsctl(
        "add-port",
        systemName(b),
        right,
        "--",
        "set",
        "interface",
        right,
        "type=patch",
        "options:peer=" + left);
  }

  /**
   * Joins two bridges with a veth pair, whose packets can be captured in the namespace of the
   * caller, which patch ports do not allow.
   *
   * @param name of the cable, at most 9 characters; the port at {@code a} is {@code NAMEa}, the one
   *     at {@code b} is {@code NAMEb}
   */
  public void cable(String name, String a, String b) {
    String left = systemName(name + "a");
    String right = systemName(name + "b");
    cables.add(left);
    commands.must(List.of("ip", "link", "add", left, "type", "veth", "peer", "name", right));
    for (String end : List.of(left, right)) {
      // Else the system itself sends packets into the network.
      commands.must(List.of("sysctl", "-q", "-w", "net.ipv6.conf." + end + ".disable_ipv6=1"));
      commands.must(List.of("ip", "link", "set", end, "up"));
    }
    vsctl("add-port", systemName(a), left, "--", "add-port", systemName(b), right);
  }

  /** Bounds a flow table of a bridge: one more entry is refused with TABLE_FULL. */
  public void limitFlows(String bridge, int table, int limit) {
    vsctl(
        "--id=@t",
        "create",
        "Flow_Table",
        "flow_limit=" + limit,
        "overflow_policy=refuse",
        "--",
        "set",
        "bridge",
        systemName(bridge),
        "flow_tables:" + table + "=@t");
  }

  /** Runs {@code ovs-vsctl} on this instance's database; returns its output. */
  public String vsctl(String... arguments) {
    List<String> command =
        new ArrayList<>(List.of("ovs-vsctl", "--timeout=30", "--db=unix:" + in("db.sock")));
    command.addAll(List.of(arguments));
    String output = commands.must(command);
    // It ends with 0 where the daemon could not do what the database says now.
    if (output.contains("Error detected")) {
      throw new IllegalStateException("ovs-vsctl " + List.of(arguments) + ": " + output);
    }
    return output;
  }

  /**
   * Runs {@code ovs-ofctl COMMAND BRIDGE ARGUMENTS} with OpenFlow 1.3, or 1.0 where the bridge
   * speaks that only; returns its output.
   */
  public String ofctl(String command, String bridge, String... arguments) {
    List<String> line =
        new ArrayList<>(
            List.of(
                "ovs-ofctl",
                "-O",
                "OpenFlow10,OpenFlow13",
                command,
                "unix:" + in(systemName(bridge) + ".mgmt")));
    line.addAll(List.of(arguments));
    return commands.must(line);
  }

  /** Runs {@code ovs-appctl} on this instance's switch daemon; returns its output. */
  public String appctl(String... arguments) {
    List<String> command = new ArrayList<>(List.of("ovs-appctl", "-t", in("ovs-vswitchd.ctl")));
    command.addAll(List.of(arguments));
    return commands.must(command);
  }

  /** The OpenFlow number of a port, by the name it was added with. */
  public int portNumber(String name) {
    return Integer.parseInt(
        vsctl("--if-exists", "get", "interface", systemName(name), "ofport").strip());
  }

  /**
   * Adds a host on a veth pair: a namespace whose interface {@code eth0} has the addresses, without
   * IPv6.
   *
   * @param name at most 10 characters
   * @param ipWithLength for example {@code 10.0.0.1/24}
   * @param mac for example {@code 02:00:00:00:00:01}
   */
  public OvsHost addHost(String bridge, String name, String ipWithLength, String mac) {
    String port = systemName(name);
    OvsHost host =
        new OvsHost(name, port, ipWithLength.replaceAll("/.*", ""), mac, commands, spawned::add);
    hosts.put(name, host);
    commands.must(List.of("ip", "netns", "add", host.namespace()));
    commands.must(
        List.of(
            "ip",
            "link",
            "add",
            port,
            "type",
            "veth",
            "peer",
            "name",
            "eth0",
            "netns",
            host.namespace()));
    host.must("sysctl", "-q", "-w", "net.ipv6.conf.all.disable_ipv6=1");
    host.must("ip", "link", "set", "eth0", "address", mac);
    host.must("ip", "address", "add", ipWithLength, "dev", "eth0");
    host.must("ip", "link", "set", "lo", "up");
    host.must("ip", "link", "set", "eth0", "up");
    // Without this ping works and TCP hangs: nobody fills in the checksums of a user-space bridge.
    host.must("ethtool", "-K", "eth0", "tx", "off");
    commands.must(List.of("ip", "link", "set", port, "up"));
    vsctl("add-port", systemName(bridge), port);
    return host;
  }

  /** A host added before. */
  public OvsHost host(String name) {
    return Optional.ofNullable(hosts.get(name)).orElseThrow();
  }

  /** Sets the switch's end of a host's link up or down. */
  public void setLink(String host, boolean up) {
    commands.must(List.of("ip", "link", "set", systemName(host), up ? "up" : "down"));
  }

  /** Takes everything of this instance away. */
  @Override
  public void close() {
    tearDown();
    try {
      Runtime.getRuntime().removeShutdownHook(closeAtExit);
    } catch (IllegalStateException e) {
      // The JVM ends already and runs the hook, which finds nothing left to do.
      return;
    }
  }

  private synchronized void tearDown() {
    if (closed) {
      return;
    }
    closed = true;
    try (turn) {
      takeAway();
    }
  }

  private void takeAway() {
    spawned.forEach(Process::destroyForcibly);
    Optional<ProcessHandle> daemon = Daemon.of(Path.of(in("ovs-vswitchd.pid")));
    Optional<ProcessHandle> database = Daemon.of(Path.of(in("ovsdb-server.pid")));
    // With --cleanup the daemon takes its bridges' devices along, after it answered the command.
    commands.run(List.of("ovs-appctl", "-t", in("ovs-vswitchd.ctl"), "exit", "--cleanup"));
    daemon.ifPresent(process -> Daemon.awaitEnd(process, 10));
    daemon.ifPresent(Daemon::end);
    database.ifPresent(Daemon::end);
    for (OvsHost host : List.copyOf(hosts.values())) {
      commands.run(List.of("ip", "link", "delete", host.namespace()));
      commands.run(List.of("ip", "netns", "delete", host.namespace()));
    }
    for (String cable : cables) {
      commands.run(List.of("ip", "link", "delete", cable));
    }
    for (String bridge : bridges) {
      if (Files.exists(Path.of("/sys/class/net", bridge))) {
        commands.run(List.of("ip", "link", "delete", bridge));
      }
    }
    commands.run(List.of("ip", "netns", "delete", prefix));
  }
}
