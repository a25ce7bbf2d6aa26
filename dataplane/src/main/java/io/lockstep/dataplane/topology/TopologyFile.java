package io.lockstep.dataplane.topology;

import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.topology.Topology.PortRef;
import io.lockstep.dataplane.yaml.Problem;
import io.lockstep.dataplane.yaml.YamlFields;
import io.lockstep.dataplane.yaml.YamlNode;
import io.lockstep.dataplane.yaml.YamlNode.Mapping;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a topology from YAML: either one of the shapes of {@link Topologies}, or lists of switches,
 * links and hosts. The examples among this module's resources show both. An unknown key is an
 * error.
 */
public final class TopologyFile {
  /** Largest file read. */
  public static final int MAX_BYTES = 1 << 20;

  private TopologyFile() {}

  /**
   * Reads a file.
   *
   * @throws IOException when it cannot be read or is larger than {@link #MAX_BYTES}
   * @throws TopologyException naming everything that is wrong with its content, with lines
   */
  public static Topology read(Path file) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException(file + " is larger than " + MAX_BYTES + " bytes");
    }
    Path directory = file.toAbsolutePath().getParent();
    return parse(
        file.toString(), Files.readString(file), directory == null ? Path.of("") : directory);
  }

  /**
   * Reads an example of this module, for instance {@code two-domains}.
   *
   * @throws IllegalArgumentException when there is no such example
   */
  public static Topology example(String name) throws IOException {
    String resource = "/topologies/" + name + ".yaml";
    try (InputStream in = TopologyFile.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalArgumentException("no example topology " + name);
      }
      return parse(resource, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /**
   * Reads text.
   *
   * @param source name for messages
   * @throws TopologyException naming everything that is wrong, with lines
   */
  public static Topology parse(String source, String text) throws IOException {
    return parse(source, text, Path.of(""));
  }

  /**
   * Reads text.
   *
   * @param directory where files are that the text names without a full path
   */
  static Topology parse(String source, String text, Path directory) throws IOException {
    List<Problem> problems = new ArrayList<>();
    YamlNode root = YamlNode.read(text, problems);
    if (!problems.isEmpty()) {
      throw new TopologyException(source, problems);
    }
    if (!(root instanceof Mapping top)) {
      problems.add(new Problem(1, "no topology", "begin with the keys name and shape or switches"));
      throw new TopologyException(source, problems);
    }
    return build(source, top, directory, problems);
  }

  private static Topology build(
      String source, Mapping top, Path directory, List<Problem> problems) {
    YamlFields fields = new YamlFields(top, problems);
    String name = fields.text("name", source);
    YamlNode shape = fields.node("shape");
    List<Mapping> switches = fields.mappings("switches");
    List<Mapping> links = fields.mappings("links");
    List<Mapping> hosts = fields.mappings("hosts");
    fields.refuseOthers();
    if (shape != null) {
      if (!(switches.isEmpty() && links.isEmpty() && hosts.isEmpty())) {
        problems.add(
            new Problem(shape.line(), "both a shape and lists", "keep the shape or the lists"));
      }
      return renamed(name, shape(source, shape, problems));
    }
    TopologyBuilder builder = new TopologyBuilder(name, source);
    switches.forEach(each -> addSwitch(builder, new YamlFields(each, problems), directory));
    links.forEach(each -> addLink(builder, new YamlFields(each, problems)));
    int number = 0;
    for (Mapping each : hosts) {
      addHost(builder, new YamlFields(each, problems), ++number);
    }
    problems.forEach(each -> builder.atLine(each.line()).problem(each.what(), each.remedy()));
    return builder.build();
  }

  private static Topology renamed(String name, Topology shape) {
    return new Topology(name, shape.switches(), shape.links(), shape.hosts());
  }

  private static Topology shape(String source, YamlNode node, List<Problem> problems) {
    Topology made = null;
    if (node instanceof Mapping mapping) {
      made = madeOf(new YamlFields(mapping, problems));
    } else {
      problems.add(new Problem(node.line(), "shape is no mapping", "give it kind and switches"));
    }
    if (made == null || !problems.isEmpty()) {
      throw new TopologyException(source, problems);
    }
    return made;
  }

  private static @Nullable Topology madeOf(YamlFields fields) {
    int line = fields.line();
    String kind = fields.text("kind", "");
    Topology made = null;
    switch (kind) {
      case "linear" -> {
        int switches = fields.number("switches", 2, 1, TopologyBuilder.MAX_SWITCHES);
        made = Topologies.linear(switches, hosts(fields));
      }
      case "ring" -> {
        int switches = fields.number("switches", 4, 3, TopologyBuilder.MAX_SWITCHES);
        made = Topologies.ring(switches, hosts(fields));
      }
      case "tree" -> {
        int depth = fields.number("depth", 2, 1, 8);
        int fanOut = fields.number("fanOut", 2, 1, 16);
        double leaves = Math.pow(fanOut, depth - 1);
        if (leaves * 2 > TopologyBuilder.MAX_SWITCHES) {
          fields.problem(line, "a tree of " + (long) leaves + " leaves", "make it smaller");
        } else {
          made = Topologies.tree(depth, fanOut, hosts(fields));
        }
      }
      case "twoDomains" -> {
        int switches = fields.number("switches", 3, 3, TopologyBuilder.MAX_SWITCHES / 2);
        made = Topologies.twoDomains(switches, hosts(fields));
      }
      default ->
          fields.problem(
              line, "unknown kind of shape: " + kind, "use linear, tree, ring or twoDomains");
    }
    fields.refuseOthers();
    return made;
  }

  private static int hosts(YamlFields fields) {
    return fields.number("hosts", 1, 0, 100);
  }

  private static void addSwitch(TopologyBuilder builder, YamlFields fields, Path directory) {
    String name = fields.required("name");
    long dpid = TopologyFields.dpid(fields, "dpid");
    String domain = fields.text("domain", Topologies.ONE_DOMAIN);
    HardwareProfile profile = TopologyFields.profile(fields, directory);
    Protocol protocol = TopologyFields.protocol(fields, profile);
    fields.refuseOthers();
    builder
        .atLine(fields.line())
        .addSwitch(new Topology.SwitchSpec(name, dpid, domain, protocol, profile));
  }

  private static void addLink(TopologyBuilder builder, YamlFields fields) {
    PortRef from = TopologyFields.port(fields, "from");
    PortRef to = TopologyFields.port(fields, "to");
    double delayMillis = fields.decimal("delayMillis", 0);
    fields.refuseOthers();
    builder.atLine(fields.line()).link(from, to, delayMillis);
  }

  private static void addHost(TopologyBuilder builder, YamlFields fields, int number) {
    String name = fields.text("name", "h" + number);
    PortRef at = TopologyFields.port(fields, "at");
    var mac = TopologyFields.mac(fields, number);
    var address = TopologyFields.address(fields, number);
    fields.refuseOthers();
    builder.atLine(fields.line()).host(name, mac, address, at);
  }
}
