package io.lockstep.deploy.config;

import io.lockstep.deploy.config.NodeSettings.Domain;
import io.lockstep.deploy.config.NodeSettings.Listener;
import io.lockstep.deploy.config.NodeSettings.Member;
import io.lockstep.deploy.config.NodeSettings.Replica;
import io.lockstep.deploy.config.NodeSettings.StateMedium;
import io.lockstep.deploy.config.NodeSettings.Timeouts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads a configuration file. Every key, its default and its bounds are in this class. */
public final class SettingsReader {
  /** Larger files are not read. */
  static final int MAX_FILE_BYTES = 1 << 20;

  private static final String NAME = "[a-z][a-z0-9-]{0,30}";
  private static final String NAME_REMEDY =
      "use 1 to 31 lower-case letters, digits and dashes, beginning with a letter";
  private static final String HOST = "[A-Za-z0-9._:-]{1,253}";
  private static final String HOST_REMEDY = "give an IP address or a host name";
  private static final String LOOPBACK = "localhost|127\\.[0-9]+\\.[0-9]+\\.[0-9]+|::1";

  /** What the process that reads the file is. */
  public enum Role {
    /** A controller node; {@code node} names one of the members. */
    NODE,
    /** A replica of the store alone; {@code node} names one of the replicas. */
    REPLICA
  }

  private final List<Problem> problems = new ArrayList<>();
  private final Role role;

  private SettingsReader(Role role) {
    this.role = role;
  }

  /**
   * Reads and checks a file.
   *
   * @throws ConfigException where it cannot be read or anything is wrong in it
   */
  public static NodeSettings read(Path file, Role role) throws ConfigException {
    String text;
    try {
      if (Files.size(file) > MAX_FILE_BYTES) {
        throw unreadable(file, "larger than " + MAX_FILE_BYTES + " bytes", "is it the right file?");
      }
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      String why = Files.exists(file) ? "cannot be read: " + e.getMessage() : "no such file";
      throw unreadable(
          file, why, "name a readable UTF-8 file; see examples/three-nodes/node-1.yaml");
    }
    return parse(file.toString(), text, role);
  }

  private static ConfigException unreadable(Path file, String why, String remedy) {
    return new ConfigException(file.toString(), List.of(new Problem(Place.TOP, "", why, remedy)));
  }

  /**
   * Checks a text.
   *
   * @param name how problems call the file
   */
  static NodeSettings parse(String name, String text, Role role) throws ConfigException {
    SettingsReader reader = new SettingsReader(role);
    YamlTree tree = YamlTree.read(text, reader.problems);
    if (tree != null) {
      NodeSettings settings = reader.settings(Section.of("", tree, Place.TOP, reader.problems));
      if (reader.problems.isEmpty()) {
        return settings;
      }
    }
    reader.problems.sort(
        Comparator.comparingInt((Problem problem) -> problem.place().line())
            .thenComparingInt(problem -> problem.place().column()));
    throw new ConfigException(name, reader.problems);
  }

  private NodeSettings settings(Section root) {
    String cluster = root.requiredText("cluster", "unnamed", NAME, NAME_REMEDY);
    int nodeId = root.requiredNumber("node", 0, 0, 999, "this node's id among the members");
    List<Member> members = new ArrayList<>();
    List<Replica> replicas = new ArrayList<>();
    boolean replicasApart = root.has("replicas");
    for (Section item : root.sections("members")) {
      Replica entry = endpoint(item, !replicasApart);
      members.add(new Member(entry.id(), entry.host()));
      if (!replicasApart) {
        replicas.add(entry);
      }
    }
    for (Section item : root.sections("replicas")) {
      replicas.add(endpoint(item, true));
    }
    boolean inside =
        root.text("replica", "inside", "inside|none", "write 'inside' or 'none'").equals("inside");
    Listener openflow = listener(root.section("openflow"), "0.0.0.0", 6653);
    Section adminSection = root.section("admin");
    Listener admin = listener(adminSection, "127.0.0.1", 8181);
    if (!admin.host().matches(LOOPBACK)) {
      adminSection.complain(
          "host",
          "the admin HTTP has no authentication and listens on loopback only",
          "remove the key or write 127.0.0.1; reach it from elsewhere through ssh -L");
    }
    List<Domain> domains = domains(root, members);
    Timeouts timeouts = timeouts(root.section("timeouts"));
    root.text("state", "memory", "memory", "write 'memory': other media are not built yet");
    Section log = root.section("log");
    String logFile = log.text("file", "", ".{1,1024}", "give a path, or leave it out");
    log.finish();
    checkMembers(root, nodeId, members);
    checkReplicas(root, replicasApart ? "replicas" : "members", nodeId, replicas, inside);
    root.finish();
    return new NodeSettings(
        cluster,
        nodeId,
        members,
        replicas,
        inside,
        openflow,
        admin,
        domains,
        timeouts,
        StateMedium.MEMORY,
        logFile.isEmpty() ? null : logFile);
  }

  private static Replica endpoint(Section section, boolean withPorts) {
    int id = section.requiredNumber("id", 0, 0, 999, "");
    String host = section.requiredText("host", "localhost", HOST, HOST_REMEDY);
    int storePort = 7100;
    int peerPort = 7101;
    if (withPorts) {
      storePort = section.number("storePort", storePort, 1, 65534, "TCP port");
      peerPort = section.number("peerPort", storePort + 1, 1, 65535, "TCP port");
      if (storePort == peerPort) {
        section.complain("peerPort", "the same as storePort", "give the replica two ports");
      }
    }
    section.finish();
    return new Replica(id, host, storePort, peerPort);
  }

  private static Listener listener(Section section, String host, int port) {
    Listener listener =
        new Listener(
            section.text("host", host, HOST, HOST_REMEDY),
            section.number("port", port, 1, 65535, "TCP port"));
    section.finish();
    return listener;
  }

  private static Timeouts timeouts(Section section) {
    Timeouts timeouts =
        new Timeouts(
            section.number("leaseMillis", 3000, 500, 60_000, "milliseconds"),
            section.number("storeRequestMillis", 5000, 500, 60_000, "milliseconds"),
            section.number("handshakeMillis", 5000, 500, 60_000, "milliseconds"),
            section.number("linkProbeMillis", 1000, 100, 60_000, "milliseconds"));
    section.finish();
    return timeouts;
  }

  private static List<Domain> domains(Section root, List<Member> members) {
    List<Domain> domains = new ArrayList<>();
    Set<Integer> memberIds = new HashSet<>();
    members.forEach(member -> memberIds.add(member.id()));
    Map<Long, String> owner = new HashMap<>();
    Set<String> names = new HashSet<>();
    for (Section section : root.sections("domains")) {
      String name = section.requiredText("name", "unnamed", NAME, NAME_REMEDY);
      if (!names.add(name)) {
        section.complain("name", "'" + name + "' is there twice", "give each domain its own name");
      }
      List<Long> switches = new ArrayList<>();
      for (YamlTree.Scalar item : section.scalars("switches")) {
        for (long dpid : DpidRange.read(section, item)) {
          String other = owner.putIfAbsent(dpid, name);
          if (other == null) {
            switches.add(dpid);
          } else {
            section.complainAt(
                item.place(),
                "switches",
                "switch " + DpidRange.hex(dpid) + " is already in domain '" + other + "'",
                "put each switch into one domain");
          }
        }
      }
      if (switches.isEmpty()) {
        section.complain(
            "switches", "no switch", "list datapath ids in hexadecimal, or ranges: [1-8, ff]");
      }
      switches.sort(Long::compareUnsigned);
      domains.add(new Domain(name, switches, masters(section, memberIds)));
      section.finish();
    }
    return domains;
  }

  private static List<Integer> masters(Section section, Set<Integer> memberIds) {
    List<Integer> masters = new ArrayList<>();
    for (YamlTree.Scalar item : section.scalars("masters")) {
      String text = item.text();
      if (!text.matches("[0-9]{1,3}") || !memberIds.contains(Integer.parseInt(text))) {
        section.complainAt(
            item.place(),
            "masters",
            "'" + text + "' is not the id of a member",
            "name ids from 'members', the preferred one first");
      } else if (!masters.contains(Integer.parseInt(text))) {
        masters.add(Integer.parseInt(text));
      }
    }
    return masters;
  }

  private void checkMembers(Section root, int nodeId, List<Member> members) {
    Set<Integer> ids = new HashSet<>();
    for (Member member : members) {
      if (!ids.add(member.id())) {
        root.complain("members", "id " + member.id() + " is there twice", "give each its own id");
      }
    }
    if (role == Role.NODE && !ids.isEmpty() && root.has("node") && !ids.contains(nodeId)) {
      root.complain(
          "node", "there is no member " + nodeId, "name the id of this node from 'members'");
    }
    if (members.isEmpty()) {
      root.complain("members", "no member", "list all nodes: - {id: 1, host: 10.0.0.1}");
    }
  }

  private void checkReplicas(
      Section root, String key, int nodeId, List<Replica> replicas, boolean inside) {
    Set<Integer> ids = new HashSet<>();
    Map<String, Integer> ports = new HashMap<>();
    for (Replica replica : replicas) {
      if (!ids.add(replica.id()) && key.equals("replicas")) {
        root.complain(key, "id " + replica.id() + " is there twice", "give each its own id");
      }
      for (int port : new int[] {replica.storePort(), replica.peerPort()}) {
        Integer other = ports.putIfAbsent(replica.host() + ":" + port, replica.id());
        if (other != null && other != replica.id()) {
          root.complain(
              key,
              other + " and " + replica.id() + " both use " + replica.host() + ":" + port,
              "give each storePort and peerPort of one host a number of its own");
        }
      }
    }
    if (!replicas.isEmpty() && replicas.size() % 2 == 0) {
      root.complain(
          key,
          replicas.size() + " replicas survive no more crashes than " + (replicas.size() - 1),
          "use an odd number: 3 survive one crash, 5 survive two; list them under 'replicas'");
    }
    boolean member = role == Role.REPLICA || key.equals("replicas");
    if (member && (inside || role == Role.REPLICA) && !ids.contains(nodeId)) {
      root.complain(
          "node",
          "there is no replica " + nodeId + " among the " + key,
          role == Role.REPLICA
              ? "name the id of this replica from '" + key + "'"
              : "add it there, or write 'replica: none'");
    }
  }
}
