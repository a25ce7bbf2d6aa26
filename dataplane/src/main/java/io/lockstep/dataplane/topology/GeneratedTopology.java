package io.lockstep.dataplane.topology;

import io.lockstep.yaml.Place;
import io.lockstep.yaml.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A large network by its shape and size, as text {@code SHAPE:N[:OPTION...]}, for example {@code
 * random:400:seed=7}. Every shape is connected and divided by location into {@link #DOMAINS}
 * domains. Switches are called s1, s2 and so on and have the datapath ids 1, 2 and so on.
 *
 * @param switches that are asked for; a fat tree has as many of them as its shape allows
 * @param hostsPerSwitch at each switch; in a fat tree at each edge switch
 * @param seed of {@link Shape#RANDOM}; equal seeds make equal networks
 */
public record GeneratedTopology(Shape shape, int switches, int hostsPerSwitch, long seed) {
  /** How many domains. */
  public static final int DOMAINS = 3;

  private static final String FORM =
      "SHAPE:N[:OPTION...], for example random:400 or random:400:seed=7";
  private static final int USUAL_HOSTS = 4;
  private static final int MAX_HOSTS = 100;
  private static final long USUAL_SEED = 1;

  /** The shapes. */
  public enum Shape {
    /** Switches in pods below core switches: {@link FatTree}. */
    FAT_TREE("fat-tree", 5),

    /** Rings that are joined to a ring: {@link RingOfRings}. */
    RING_OF_RINGS("ring-of-rings", 9),

    /** A random network for each domain, and few links between them: {@link RandomNetwork}. */
    RANDOM("random", 6);

    private final String label;
    private final int least;

    Shape(String label, int least) {
      this.label = label;
      this.least = least;
    }

    /** The name in texts. */
    public String label() {
      return label;
    }

    /** Fewest switches. */
    public int least() {
      return least;
    }

    private static String labels() {
      return Arrays.stream(values()).map(Shape::label).collect(Collectors.joining(", "));
    }
  }

  /**
   * Reads {@code SHAPE:N[:OPTION...]}. The options are {@code hosts=H} and, for random networks,
   * {@code seed=S}.
   *
   * @throws TopologyException naming everything that is wrong, and what is allowed
   */
  public static GeneratedTopology parse(String text) {
    Reader reader = new Reader(text);
    GeneratedTopology read = reader.read();
    if (read == null || !reader.problems.isEmpty()) {
      throw new TopologyException("topology " + text, reader.problems);
    }
    return read;
  }

  /** The network; its name says how many switches it has where those are not as many as asked. */
  public Topology build() {
    return switch (shape) {
      case FAT_TREE -> FatTree.build(text(), switches, hostsPerSwitch);
      case RING_OF_RINGS -> RingOfRings.build(text(), switches, hostsPerSwitch);
      case RANDOM -> RandomNetwork.build(text(), switches, hostsPerSwitch, seed);
    };
  }

  /** The text that {@link #parse} reads; options with their usual values are left out. */
  public String text() {
    return shape.label
        + ":"
        + switches
        + (hostsPerSwitch == USUAL_HOSTS ? "" : ":hosts=" + hostsPerSwitch)
        + (seed == USUAL_SEED ? "" : ":seed=" + seed);
  }

  /** The name of a domain, numbered from 0. */
  static String domain(int number) {
    return "domain" + (number + 1);
  }

  /** Adds a switch, by its number from 0, and its hosts. */
  static void addSwitch(TopologyBuilder builder, int number, int domain, int hosts) {
    builder.addSwitch(name(number), number + 1L, domain(domain));
    for (int i = 0; i < hosts; i++) {
      builder.host(name(number));
    }
  }

  /** Links two switches, by their numbers from 0. */
  static void link(TopologyBuilder builder, int a, int b) {
    builder.link(name(a), name(b));
  }

  private static String name(int number) {
    return "s" + (number + 1);
  }

  /** Reads one text. */
  private static final class Reader {
    final List<Problem> problems = new ArrayList<>();
    private final String[] parts;
    private int hosts = USUAL_HOSTS;
    private long seed = USUAL_SEED;

    Reader(String text) {
      parts = text.split(":", -1);
    }

    @Nullable GeneratedTopology read() {
      Shape shape = shape(parts[0]);
      if (shape == null) {
        complain("no shape '" + parts[0] + "'", "use " + Shape.labels() + ": " + FORM);
        return null;
      }
      if (parts.length == 1) {
        complain("the number of switches is missing", "write " + FORM);
        return null;
      }
      int least = shape.least;
      int most = TopologyBuilder.MAX_SWITCHES;
      String bounds = shape.label + " has " + least + " to " + most + " switches";
      long switches = number(parts[1], "the number of switches", least, most, bounds);
      for (int i = 2; i < parts.length; i++) {
        option(shape, parts[i]);
      }
      return new GeneratedTopology(shape, (int) switches, hosts, seed);
    }

    private static @Nullable Shape shape(String label) {
      for (Shape each : Shape.values()) {
        if (each.label.equals(label)) {
          return each;
        }
      }
      return null;
    }

    private void option(Shape shape, String text) {
      boolean hasSeed = shape == Shape.RANDOM;
      if (text.startsWith("hosts=")) {
        String bounds = "a switch has 0 to " + MAX_HOSTS + " hosts";
        hosts = (int) number(text.substring(6), "hosts", 0, MAX_HOSTS, bounds);
      } else if (hasSeed && text.startsWith("seed=")) {
        String bounds = "a seed is a whole number of 64 bits";
        seed = number(text.substring(5), "seed", Long.MIN_VALUE, Long.MAX_VALUE, bounds);
      } else {
        complain(
            "no option '" + text + "' of " + shape.label,
            hasSeed ? "use hosts=H or seed=S" : "use hosts=H");
      }
    }

    private long number(String text, String name, long least, long most, String remedy) {
      try {
        long value = Long.parseLong(text);
        if (value >= least && value <= most) {
          return value;
        }
      } catch (NumberFormatException e) {
        // Reported below.
      }
      complain(name + " is '" + text + "'", remedy);
      return Math.max(0, least);
    }

    private void complain(String message, String remedy) {
      problems.add(new Problem(Place.NOWHERE, "", message, remedy));
    }
  }
}
