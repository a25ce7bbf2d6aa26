package io.lockstep.dataplane.topology;

import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.topology.Topology.PortRef;
import io.lockstep.yaml.Section;
import io.lockstep.yaml.TextFile;
import io.lockstep.yaml.YamlDocument;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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

  private static final String KINDS = "use linear, tree, ring, twoDomains or threeDomains";

  private TopologyFile() {}

  /**
   * Reads a file.
   *
   * @throws IOException when it cannot be read or is larger than {@link #MAX_BYTES}
   * @throws TopologyException naming everything that is wrong with its content, with lines
   */
  public static Topology read(Path file) throws IOException {
    String text = TextFile.read(file, MAX_BYTES, "name a file with a topology");
    Path directory = file.toAbsolutePath().getParent();
    return parse(file.toString(), text, directory == null ? Path.of("") : directory);
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
  public static Topology parse(String source, String text) {
    return parse(source, text, Path.of(""));
  }

  /**
   * Reads text.
   *
   * @param directory where files are that the text names without a full path
   */
  static Topology parse(String source, String text, Path directory) {
    YamlDocument document = YamlDocument.parse(text);
    Section root = document.root();
    if (!document.isSound()) {
      throw new TopologyException(source, document.problems());
    }
    String name = root.text("name", source, ".{1,1024}", "give it a name");
    boolean hasShape = root.has("shape");
    List<Section> switches = root.sections("switches");
    List<Section> links = root.sections("links");
    List<Section> hosts = root.sections("hosts");
    root.finish();
    if (!hasShape) {
      TopologyBuilder builder = new TopologyBuilder(name, source);
      switches.forEach(each -> addSwitch(builder, each, directory));
      links.forEach(each -> addLink(builder, each));
      int number = 0;
      for (Section each : hosts) {
        addHost(builder, each, ++number);
      }
      return builder.build(document.problems());
    }
    if (!(switches.isEmpty() && links.isEmpty() && hosts.isEmpty())) {
      root.complain("shape", "both a shape and lists", "keep the shape or the lists");
    }
    Topology shape = madeOf(root.section("shape"));
    if (shape == null || !document.isSound()) {
      throw new TopologyException(source, document.problems());
    }
    return renamed(name, shape);
  }

  private static Topology renamed(String name, Topology shape) {
    return new Topology(name, shape.switches(), shape.links(), shape.hosts());
  }

  private static @Nullable Topology madeOf(Section fields) {
    String kind = fields.requiredText("kind", "", ".{1,100}", KINDS);
    Topology made = null;
    switch (kind) {
      case "linear" -> {
        int switches = fields.number("switches", 2, 1, TopologyBuilder.MAX_SWITCHES, "");
        made = Topologies.linear(switches, hosts(fields));
      }
      case "ring" -> {
        int switches = fields.number("switches", 4, 3, TopologyBuilder.MAX_SWITCHES, "");
        made = Topologies.ring(switches, hosts(fields));
      }
      case "tree" -> {
        int depth = fields.number("depth", 2, 1, 8, "");
        int fanOut = fields.number("fanOut", 2, 1, 16, "");
        double leaves = Math.pow(fanOut, depth - 1);
        if (leaves * 2 > TopologyBuilder.MAX_SWITCHES) {
          fields.complain("fanOut", "a tree of " + (long) leaves + " leaves", "make it smaller");
        } else {
          made = Topologies.tree(depth, fanOut, hosts(fields));
        }
      }
      case "twoDomains" -> {
        int switches = fields.number("switches", 3, 3, TopologyBuilder.MAX_SWITCHES / 2, "");
        made = Topologies.twoDomains(switches, hosts(fields));
      }
      case "threeDomains" -> {
        int switches = fields.number("switches", 3, 3, TopologyBuilder.MAX_SWITCHES / 3, "");
        made = Topologies.threeDomains(switches, hosts(fields));
      }
      case "" -> {
        // Reported as missing.
      }
      default -> fields.complain("kind", "unknown kind of shape: " + kind, KINDS);
    }
    fields.finish();
    return made;
  }

  private static int hosts(Section fields) {
    return fields.number("hosts", 1, 0, 100, "");
  }

  private static void addSwitch(TopologyBuilder builder, Section fields, Path directory) {
    String name =
        fields.requiredText("name", TopologyBuilder.UNREADABLE, ".{1,1024}", "give it a name");
    long dpid = TopologyFields.dpid(fields, "dpid");
    String domain = fields.text("domain", Topologies.ONE_DOMAIN, ".{1,1024}", "give it a name");
    HardwareProfile profile = TopologyFields.profile(fields, directory);
    Protocol protocol = TopologyFields.protocol(fields, profile);
    fields.finish();
    builder
        .at(fields.place(), fields.path())
        .addSwitch(new Topology.SwitchSpec(name, dpid, domain, protocol, profile));
  }

  private static void addLink(TopologyBuilder builder, Section fields) {
    PortRef from = TopologyFields.port(fields, "from");
    PortRef to = TopologyFields.port(fields, "to");
    double delayMillis =
        fields.decimal("delayMillis", 0, 0, TopologyBuilder.MAX_DELAY_MILLIS, "milliseconds");
    fields.finish();
    builder.at(fields.place(), fields.path()).link(from, to, delayMillis);
  }

  private static void addHost(TopologyBuilder builder, Section fields, int number) {
    String name = fields.text("name", "h" + number, ".{1,1024}", "give it a name");
    PortRef at = TopologyFields.port(fields, "at");
    var mac = TopologyFields.mac(fields, number);
    var address = TopologyFields.address(fields, number);
    fields.finish();
    builder.at(fields.place(), fields.path()).host(name, mac, address, at);
  }
}
