package io.lockstep.dataplane.topology;

import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.profile.ProfileException;
import io.lockstep.dataplane.profile.ProfileFile;
import io.lockstep.dataplane.topology.Topology.PortRef;
import io.lockstep.dataplane.yaml.YamlFields;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The kinds of values that only a topology has. A wrong one is recorded and read as harmless. */
final class TopologyFields {
  private TopologyFields() {}

  /** Decimal, hexadecimal with 0x, or eight octets joined by colons. */
  static long dpid(YamlFields fields, String key) {
    fields.required(key);
    return fields.read(
        key,
        1L,
        text ->
            text.contains(":")
                ? Long.parseUnsignedLong(text.replace(":", ""), 16)
                : Long.decode(text),
        "use a number, for example 1, 0x1f or 00:00:00:00:00:00:00:1f");
  }

  /** A switch, or a switch and a port joined by a colon. */
  static PortRef port(YamlFields fields, String key) {
    fields.required(key);
    return fields.read(
        key,
        new PortRef(TopologyBuilder.UNREADABLE, TopologyBuilder.ANY_PORT),
        text -> {
          int colon = text.lastIndexOf(':');
          if (colon < 0) {
            return new PortRef(text, TopologyBuilder.ANY_PORT);
          }
          int port = Integer.parseInt(text.substring(colon + 1));
          if (port < 1) {
            throw new IllegalArgumentException(text);
          }
          return new PortRef(text.substring(0, colon), port);
        },
        "use a switch or switch:port, for example s1 or s1:3");
  }

  /** The model of switch, by name or file; null where none is named or it cannot be used. */
  static @Nullable HardwareProfile profile(YamlFields fields, Path directory) {
    String text = fields.text("profile", "");
    if (text.isEmpty()) {
      return null;
    }
    int line = fields.lineOf("profile");
    try {
      return ProfileFile.find(text, directory);
    } catch (IOException | InvalidPathException e) {
      String remedy = "use " + String.join(", ", ProfileFile.BUILT_IN) + " or a file";
      fields.problem(line, "profile is " + text + ": " + e.getMessage(), remedy);
    } catch (ProfileException e) {
      fields.problem(line, "profile is " + text + ": " + e.getMessage(), "correct that file");
    }
    return null;
  }

  /**
   * The version of OpenFlow: the profile's, or 1.3; another one than the profile's is a problem.
   */
  static Protocol protocol(YamlFields fields, @Nullable HardwareProfile profile) {
    Protocol usual = profile == null ? Protocol.OPENFLOW_13 : Protocol.of(profile.openFlow());
    Protocol said = fields.read("openflow", usual, Protocol::of, "use \"1.0\" or \"1.3\"");
    if (profile != null && said != usual) {
      fields.problem(
          fields.lineOf("openflow"),
          "openflow is "
              + said.number()
              + " and profile "
              + profile.name()
              + " speaks "
              + usual.number(),
          "leave openflow out");
    }
    return profile == null ? said : usual;
  }

  static Mac mac(YamlFields fields, int number) {
    Mac otherwise = new Mac(0x0200_0000_0000L | number);
    return fields.read(
        "mac", otherwise, Mac::parse, "use six octets, for example 02:00:00:00:00:01");
  }

  static Ipv4 address(YamlFields fields, int number) {
    Ipv4 otherwise = new Ipv4(0x0a00_0000 | number);
    return fields.read(
        "address", otherwise, Ipv4::parse, "use an IPv4 address, for example 10.0.0.1");
  }
}
