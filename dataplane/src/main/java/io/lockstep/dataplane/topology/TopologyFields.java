package io.lockstep.dataplane.topology;

import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.profile.ProfileException;
import io.lockstep.dataplane.profile.ProfileFile;
import io.lockstep.dataplane.topology.Topology.PortRef;
import io.lockstep.yaml.Section;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kinds of values that only a topology has. A wrong one is recorded and read as harmless. */
final class TopologyFields {
  private static final String DPID_REMEDY =
      "use a number, for example 1, 0x1f or 00:00:00:00:00:00:00:1f";
  private static final String PORT_REMEDY = "use a switch or switch:port, for example s1 or s1:3";

  private TopologyFields() {}

  /** Decimal, hexadecimal with 0x, or eight octets joined by colons. */
  static long dpid(Section fields, String key) {
    fields.require(key, DPID_REMEDY);
    return fields.read(
        key,
        1L,
        text ->
            text.contains(":")
                ? Long.parseUnsignedLong(text.replace(":", ""), 16)
                : Long.decode(text),
        DPID_REMEDY);
  }

  /** A switch, or a switch and a port joined by a colon. */
  static PortRef port(Section fields, String key) {
    fields.require(key, PORT_REMEDY);
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
        PORT_REMEDY);
  }

  /** The model of switch, by name or file; null where none is named or it cannot be used. */
  static @Nullable HardwareProfile profile(Section fields, Path directory) {
    String remedy = "use " + String.join(", ", ProfileFile.BUILT_IN) + " or a file";
    String text = fields.text("profile", "", "[^\\x00]{1,1024}", remedy);
    if (text.isEmpty()) {
      return null;
    }
    try {
      return ProfileFile.find(text, directory);
    } catch (IOException | InvalidPathException e) {
      fields.complain("profile", "'" + text + "' cannot be used: " + e.getMessage(), remedy);
    } catch (ProfileException e) {
      fields.complain("profile", "'" + text + "' is wrong: " + e.getMessage(), "correct that file");
    }
    return null;
  }

  /**
   * The version of OpenFlow: the profile's, or 1.3; another one than the profile's is a problem.
   */
  static Protocol protocol(Section fields, @Nullable HardwareProfile profile) {
    Protocol usual = profile == null ? Protocol.OPENFLOW_13 : Protocol.of(profile.openFlow());
    Protocol said = Protocol.of(fields.choice("openflow", usual.number(), List.of("1.0", "1.3")));
    if (profile != null && said != usual) {
      fields.complain(
          "openflow",
          "'" + said.number() + "', but profile '" + profile.name() + "' speaks " + usual.number(),
          "leave openflow out");
    }
    return profile == null ? said : usual;
  }

  static Mac mac(Section fields, int number) {
    Mac otherwise = new Mac(0x0200_0000_0000L | number);
    return fields.read(
        "mac", otherwise, Mac::parse, "use six octets, for example 02:00:00:00:00:01");
  }

  static Ipv4 address(Section fields, int number) {
    Ipv4 otherwise = new Ipv4(0x0a00_0000 | number);
    return fields.read(
        "address", otherwise, Ipv4::parse, "use an IPv4 address, for example 10.0.0.1");
  }
}
