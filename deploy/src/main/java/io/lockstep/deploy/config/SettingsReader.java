package io.lockstep.deploy.config;

import io.lockstep.core.path.PathConfig;
import io.lockstep.deploy.application.ApplicationCatalog;
import io.lockstep.deploy.config.NodeSettings.Domain;
import io.lockstep.deploy.config.NodeSettings.Limits;
import io.lockstep.deploy.config.NodeSettings.Member;
import io.lockstep.deploy.config.NodeSettings.Replica;
import io.lockstep.deploy.config.NodeSettings.StoreSettings;
import io.lockstep.deploy.config.NodeSettings.Timeouts;
import io.lockstep.store.engine.Rules;
import io.lockstep.store.machine.ReplacedMachine;
import io.lockstep.yaml.ReadValue;
import io.lockstep.yaml.Section;
import io.lockstep.yaml.TextFile;
import io.lockstep.yaml.UnreadableFileException;
import io.lockstep.yaml.YamlDocument;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a configuration file. Every key, its default and its bounds are in this class. */
public final class SettingsReader {
  /** Larger files are not read. */
  static final int MAX_FILE_BYTES = 1 << 20;

  static final String NAME = "[A-Za-z0-9][A-Za-z0-9_.-]{0,63}";
  static final String NAME_REMEDY = "use 1 to 64 letters, digits, dashes, dots and underscores";
  static final String HOST = "[A-Za-z0-9._:-]{1,253}";
  static final String HOST_REMEDY = "give an IP address or a host name";
  private static final int STORE_PORT = 7100;
  static final String LOOPBACK = "localhost|127\\.[0-9]+\\.[0-9]+\\.[0-9]+|::1";

  /** What the process that reads the file is. */
  public enum Role {
    /** A controller node; {@code node} names one of the members. */
    NODE,
    /** A replica of the store alone; {@code node} names one of the replicas. */
    REPLICA,
    /** A client of the store; whom {@code node} names does not matter. */
    CLIENT
  }

  private final Role role;
  private final Path home;
  private final String file;
  private final ApplicationCatalog catalog;
  private final boolean catalogIsComplete;

  private SettingsReader(
      Role role, Path file, ApplicationCatalog catalog, boolean catalogIsComplete) {
    this.role = role;
    this.catalog = catalog;
    this.catalogIsComplete = catalogIsComplete;
    Path directory = file.getParent();
    this.home = directory == null ? Path.of("/") : directory;
    this.file = file.toString();
  }

  /**
   * Reads and checks a file, but not the sections of applications that are no part of the product:
   * for commands that run no application.
   *
   * @throws ConfigException where it cannot be read or anything is wrong in it
   */
  public static NodeSettings read(Path file, Role role) throws ConfigException {
    return parse(file.toString(), text(file), role);
  }

  /**
   * Reads and checks a file for a node that runs these applications, those of the jars that the
   * file names, and no others.
   *
   * @throws ConfigException where it cannot be read or anything is wrong in it
   */
  public static NodeSettings read(Path file, Role role, ApplicationCatalog catalog)
      throws ConfigException {
    return parse(file.toString(), text(file), role, catalog);
  }

  private static String text(Path file) throws ConfigException {
    try {
      return TextFile.read(
          file, MAX_FILE_BYTES, "name a readable UTF-8 file; see examples/three-nodes/node-1.yaml");
    } catch (UnreadableFileException e) {
      throw new ConfigException(file.toString(), List.of(e.problem()));
    }
  }

  /**
   * Checks a text.
   *
   * @param name how problems call the file; paths in it are relative to its directory
   */
  static NodeSettings parse(String name, String text, Role role) throws ConfigException {
    return parse(
        name, text, new SettingsReader(role, path(name), ApplicationCatalog.BUILT_IN, false));
  }

  /** The same with the applications that the file may configure. */
  static NodeSettings parse(String name, String text, Role role, ApplicationCatalog catalog)
      throws ConfigException {
    return parse(name, text, new SettingsReader(role, path(name), catalog, true));
  }

  private static Path path(String name) {
    return Path.of(name).toAbsolutePath().normalize();
  }

  /**
   * All values of a file for a node, as they are in effect, with where each comes from.
   *
   * @throws ConfigException where it cannot be read or anything is wrong in it
   */
  public static List<ReadValue> effective(Path file, ApplicationCatalog catalog)
      throws ConfigException {
    YamlDocument document = YamlDocument.parse(text(file));
    if (document.isReadable()) {
      new SettingsReader(Role.NODE, path(file.toString()), catalog, false)
          .settings(document.root());
    }
    if (!document.isSound()) {
      throw new ConfigException(file.toString(), document.problems());
    }
    return document.values();
  }

  private static NodeSettings parse(String name, String text, SettingsReader reader)
      throws ConfigException {
    YamlDocument document = YamlDocument.parse(text);
    if (document.isReadable()) {
      NodeSettings settings = reader.settings(document.root());
      if (document.isSound()) {
        return settings;
      }
    }
    throw new ConfigException(name, document.problems());
  }

  private NodeSettings settings(Section root) {
    String cluster = root.requiredText("cluster", "unnamed", NAME, NAME_REMEDY);
    String nodeId = root.requiredText("node", "unnamed", NAME, NAME_REMEDY);
    List<Member> members = new ArrayList<>();
    List<Replica> replicas = new ArrayList<>();
    boolean replicasApart = root.has("replicas");
    for (Section item : root.sections("members")) {
      readMember(item, members, replicasApart ? null : replicas);
    }
    for (Section item : root.sections("replicas")) {
      replicas.add(
          new Replica(
              item.requiredText("id", "unnamed", NAME, NAME_REMEDY),
              item.requiredText("host", "localhost", HOST, HOST_REMEDY),
              item.number("storePort", STORE_PORT, 1, 65_534, "TCP port"),
              incarnation(item)));
      item.finish();
    }
    boolean inside = root.choice("replica", "inside", List.of("inside", "none")).equals("inside");
    NodeSettings.OpenFlow openflow = OpenFlowSection.read(root);
    AdminSection.Admin admin = AdminSection.read(root);
    Set<String> memberIds = new HashSet<>();
    members.forEach(member -> memberIds.add(member.id()));
    List<Domain> domains = DomainSections.read(root, memberIds);
    Timeouts timeouts = timeouts(root.section("timeouts"));
    Limits limits = limits(root.section("limits"));
    PathConfig paths = PathSection.read(root.section("paths"));
    StoreSettings store = store(root, nodeId);
    List<NodeSettings.ProfileChoice> profiles = new ProfileSection(home).read(root);
    Section log = root.section("log");
    String logFile = log.text("file", "", ".{1,1024}", "give a path, or leave it out");
    String logFormat = log.choice("format", "text", List.of("text", "json"));
    log.finish();
    checkMembers(root, nodeId, members);
    checkReplicas(root, replicasApart, nodeId, replicas, inside);
    checkPorts(root, members, replicas);
    NodeSettings.LinkSecurity security =
        new SecuritySection(home, role).read(root, members, replicas, openflow);
    if (role != Role.CLIENT) {
      AdminSection.requireKeys(root, admin, security);
    }
    NodeSettings.RunApplications applications =
        ApplicationSections.read(root, home, catalog, catalogIsComplete);
    root.finish();
    return new NodeSettings(
        cluster,
        nodeId,
        members,
        replicas,
        inside,
        openflow,
        admin.local(),
        admin.names(),
        admin.remote(),
        domains,
        timeouts,
        applications,
        limits,
        paths,
        store,
        profiles,
        security,
        new NodeSettings.Log(logFile.isEmpty() ? null : logFile, logFormat),
        file);
  }

  /** A member, and its replica where replicas are not listed apart. */
  private static void readMember(
      Section item, List<Member> members, @Nullable List<Replica> replicas) {
    String id = item.requiredText("id", "unnamed", NAME, NAME_REMEDY);
    String host = item.requiredText("host", "localhost", HOST, HOST_REMEDY);
    int storePort = STORE_PORT;
    if (replicas != null) {
      storePort = item.number("storePort", STORE_PORT, 1, 65_533, "TCP port");
      replicas.add(new Replica(id, host, storePort, incarnation(item)));
    }
    members.add(
        new Member(id, host, item.number("nodePort", storePort + 2, 1, 65_535, "TCP port")));
    item.finish();
  }

  private static int incarnation(Section item) {
    return item.number("incarnation", 0, 0, ReplacedMachine.MAX_INCARNATION, "incarnation");
  }

  private static Timeouts timeouts(Section section) {
    Timeouts timeouts =
        new Timeouts(
            section.millis("leaseMillis", 3000, 500, 60_000),
            section.millis("storeRequestMillis", 5000, 500, 60_000),
            section.millis("handshakeMillis", 5000, 500, 60_000),
            section.millis("linkProbeMillis", 1000, 100, 60_000),
            section.millis("handBackMillis", 10_000, 0, 3_600_000),
            section.millis("hostSilenceMillis", 300_000, 1_000, 86_400_000));
    section.finish();
    return timeouts;
  }

  private StoreSettings store(Section root, String nodeId) {
    boolean memory = root.choice("state", "disk", List.of("disk", "memory")).equals("memory");
    Section section = root.section("store");
    if (memory && section.has("directory")) {
      section.complain(
          "directory",
          "a directory, but 'state: memory' keeps nothing on disk",
          "remove one of the two");
    }
    String directory =
        section.text("directory", "data/" + nodeId, "[^\\x00]{1,1024}", "give a directory");
    int snapshotMegabytes = section.number("snapshotMegabytes", 64, 1, 65_536, "megabytes");
    int stateMegabytes =
        section.has("stateMegabytes")
            ? section.number("stateMegabytes", 64, 64, Rules.MOST_MEGABYTES, "megabytes")
            : 0;
    section.finish();
    return new StoreSettings(
        memory ? null : home.resolve(directory), snapshotMegabytes, stateMegabytes);
  }

  private static Limits limits(Section section) {
    Limits limits =
        new Limits(
            section.number("packetsPerPort", 5000, 0, 10_000_000, "packets per second"),
            section.number("packetsPerSwitch", 20_000, 0, 10_000_000, "packets per second"),
            section.number("waitingPerSwitch", 1024, 1, 65_536, "decisions"));
    section.finish();
    return limits;
  }

  private void checkMembers(Section root, String nodeId, List<Member> members) {
    Set<String> ids = new HashSet<>();
    for (Member member : members) {
      if (!ids.add(member.id())) {
        root.complain("members", "'" + member.id() + "' is there twice", "give each its own id");
      }
    }
    if (role == Role.NODE && !ids.isEmpty() && root.has("node") && !ids.contains(nodeId)) {
      root.complain(
          "node",
          "there is no member '" + nodeId + "'",
          "name the id of this node from 'members': " + String.join(", ", ids));
    }
    if (members.isEmpty()) {
      root.complain("members", "no member", "list all nodes: - {id: n1, host: 10.0.0.1}");
    }
  }

  private static void checkPorts(Section root, List<Member> members, List<Replica> replicas) {
    Map<String, String> users = new HashMap<>();
    for (Replica replica : replicas) {
      claim(root, users, replica.host(), replica.storePort(), "replica " + replica.id());
      claim(root, users, replica.host(), replica.peerPort(), "replica " + replica.id());
    }
    for (Member member : members) {
      claim(root, users, member.host(), member.nodePort(), "node " + member.id());
    }
  }

  private static void claim(
      Section root, Map<String, String> users, String host, int port, String user) {
    String other = users.putIfAbsent(host + ":" + port, user);
    if (other != null && !other.equals(user)) {
      root.complain(
          "members",
          other + " and " + user + " both use " + host + ":" + port,
          "give storePort, storePort + 1 and nodePort of one host numbers of their own");
    }
  }

  private void checkReplicas(
      Section root, boolean apart, String nodeId, List<Replica> replicas, boolean inside) {
    String key = apart ? "replicas" : "members";
    Set<String> ids = new HashSet<>();
    for (Replica replica : replicas) {
      if (!ids.add(replica.id()) && apart) {
        root.complain(key, "'" + replica.id() + "' is there twice", "give each its own id");
      }
    }
    if (!replicas.isEmpty() && replicas.size() % 2 == 0) {
      root.complain(
          key,
          replicas.size() + " replicas survive no more crashes than " + (replicas.size() - 1),
          "use an odd number: 3 survive one crash, 5 survive two; list them under 'replicas'");
    }
    boolean wanted = role == Role.REPLICA || (role == Role.NODE && inside && apart);
    if (wanted && root.has("node") && !ids.contains(nodeId)) {
      root.complain(
          "node",
          "there is no replica '" + nodeId + "' among the " + key,
          role == Role.REPLICA
              ? "name the id of this replica from '" + key + "'"
              : "add it there, or write 'replica: none'");
    }
  }
}
