package io.lockstep.dataplane.topology;

import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.topology.Topology.PortRef;
import io.lockstep.dataplane.topology.TopologyException.Problem;
import io.lockstep.dataplane.topology.YamlNode.Mapping;
import io.lockstep.dataplane.topology.YamlNode.Scalar;
import io.lockstep.dataplane.topology.YamlNode.Sequence;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one mapping, read one by one. A field that is missing or wrong is recorded as a
 * problem and read as a harmless value, so that all problems of a file are found in one go.
 */
final class YamlFields {
  private final Mapping mapping;
  private final List<Problem> problems;
  private final Set<String> known = new LinkedHashSet<>();

  YamlFields(Mapping mapping, List<Problem> problems) {
    this.mapping = mapping;
    this.problems = problems;
  }

  int line() {
    return mapping.line();
  }

  void problem(int line, String what, String remedy) {
    problems.add(new Problem(line, what, remedy));
  }

  /** To be called after all known fields were read. */
  void refuseOthers() {
    for (String key : mapping.entries().keySet()) {
      if (!known.contains(key)) {
        int line = mapping.keyLines().getOrDefault(key, line());
        problem(line, "unknown key " + key, "use " + String.join(", ", known));
      }
    }
  }

  @Nullable YamlNode node(String key) {
    known.add(key);
    return mapping.entries().get(key);
  }

  /** The items of a list of mappings; empty when the key is not there. */
  List<Mapping> mappings(String key) {
    List<Mapping> result = new ArrayList<>();
    YamlNode node = node(key);
    if (node instanceof Sequence list) {
      for (YamlNode item : list.items()) {
        if (item instanceof Mapping each) {
          result.add(each);
        } else {
          problem(
              item.line(),
              TopologyFile.kind(item) + " under " + key,
              "write each entry as a mapping");
        }
      }
    } else if (node != null) {
      problem(node.line(), key + " is " + TopologyFile.kind(node), "make it a list");
    }
    return result;
  }

  private @Nullable Scalar scalar(String key) {
    YamlNode node = node(key);
    if (node == null || node instanceof Scalar) {
      return (Scalar) node;
    }
    problem(node.line(), key + " is " + TopologyFile.kind(node), "give it a single value");
    return null;
  }

  String text(String key, String otherwise) {
    Scalar scalar = scalar(key);
    return scalar == null ? otherwise : scalar.text();
  }

  String required(String key) {
    Scalar scalar = scalar(key);
    if (scalar == null && !mapping.entries().containsKey(key)) {
      problem(line(), "no " + key, "add " + key);
    }
    return scalar == null ? TopologyBuilder.UNREADABLE : scalar.text();
  }

  /** An optional value; what the reader refuses is a problem. */
  private <T> T read(String key, T otherwise, Function<String, T> reader, String remedy) {
    Scalar scalar = scalar(key);
    if (scalar == null) {
      return otherwise;
    }
    try {
      return reader.apply(scalar.text().trim());
    } catch (IllegalArgumentException e) {
      problem(scalar.line(), key + " is " + scalar.text(), remedy);
      return otherwise;
    }
  }

  int number(String key, int otherwise, int min, int max) {
    return read(
        key,
        otherwise,
        text -> {
          int number = Integer.parseInt(text);
          if (number < min || number > max) {
            throw new IllegalArgumentException(text);
          }
          return number;
        },
        "use a whole number from " + min + " to " + max);
  }

  double decimal(String key, double otherwise) {
    return read(key, otherwise, Double::parseDouble, "use a number");
  }

  /** Decimal, hexadecimal with 0x, or eight octets joined by colons. */
  long dpid(String key) {
    required(key);
    return read(
        key,
        1L,
        text ->
            text.contains(":")
                ? Long.parseUnsignedLong(text.replace(":", ""), 16)
                : Long.decode(text),
        "use a number, for example 1, 0x1f or 00:00:00:00:00:00:00:1f");
  }

  /** A switch, or a switch and a port joined by a colon. */
  PortRef port(String key) {
    required(key);
    return read(
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

  Mac mac(String key, int number) {
    Mac otherwise = new Mac(0x0200_0000_0000L | number);
    return read(key, otherwise, Mac::parse, "use six octets, for example 02:00:00:00:00:01");
  }

  Ipv4 address(String key, int number) {
    Ipv4 otherwise = new Ipv4(0x0a00_0000 | number);
    return read(key, otherwise, Ipv4::parse, "use an IPv4 address, for example 10.0.0.1");
  }
}
