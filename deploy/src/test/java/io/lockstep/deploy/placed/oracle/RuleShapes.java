package io.lockstep.deploy.placed.oracle;

import java.util.Random;

/**
 * Random rules that overlap much, of all the structures that tell the paper's switches apart: layer
 * 2 only, exact destinations, ports of the switch, prefixes, transport. And the packets around
 * them. Used by one thread.
 */
public final class RuleShapes {
  private static final long MACS = 0x0200_0000_0100L;
  private static final long NET = 0x0a00_0000L;

  /** Of rules that have to match one: IPv4 most often. */
  private static final long[] OTHER_TYPES = {
    Field.ARP, Field.IPV6, Field.IPV4, Field.IPV4, Field.IPV4, Field.IPV4, Field.IPV4, Field.IPV4
  };

  private final Random random;
  private final WantedRule.Mark mark;

  public RuleShapes(Random random, WantedRule.Mark mark) {
    this.random = random;
    this.mark = mark;
  }

  /** Whether a rule with this condition may send packets to a port. */
  boolean mayOutput(Match match) {
    return mark == WantedRule.Mark.NUMBER || match.has(Field.VLAN);
  }

  /** The least priority that every such switch has for rules. */
  int leastPriority() {
    return mark == WantedRule.Mark.NUMBER ? 1 : 2;
  }

  /** A rule's condition. */
  Match match() {
    Match match = anyMatch();
    if (mark == WantedRule.Mark.PORT) {
      if (!match.has(Field.ETH_TYPE)) {
        match.with(Field.ETH_TYPE, OTHER_TYPES[random.nextInt(OTHER_TYPES.length)]);
      }
      match.with(Field.VLAN, 0, random.nextInt(5) == 0 ? 0 : Field.VLAN.full());
    }
    return match;
  }

  private Match anyMatch() {
    Match match = new Match();
    int shape = random.nextInt(20);
    if (shape < 5) {
      match.with(Field.ETH_DST, mac());
      if (random.nextInt(4) == 0) {
        match.with(Field.VLAN, tag());
      }
      if (random.nextInt(3) == 0) {
        match.with(Field.ETH_TYPE, Field.IPV4).with(Field.IP_DST, address());
      }
    } else if (shape < 15) {
      network(match);
    } else if (shape < 18) {
      match.with(random.nextBoolean() ? Field.IN_PORT : Field.VLAN, 0);
      if (match.has(Field.IN_PORT)) {
        match.with(Field.IN_PORT, inPort());
      }
      if (match.has(Field.VLAN) || random.nextInt(3) == 0) {
        match.with(Field.VLAN, tag());
      }
    } else if (shape == 18) {
      match.with(Field.ETH_SRC, mac());
      if (random.nextBoolean()) {
        network(match);
      }
    } else {
      match.with(Field.ETH_TYPE, random.nextBoolean() ? Field.IPV4 : Field.ARP);
    }
    return match;
  }

  private void network(Match match) {
    match.with(Field.ETH_TYPE, Field.IPV4);
    match.with(Field.IP_DST, address(), Field.IP_DST.prefix(10 + random.nextInt(12)));
    if (random.nextInt(5) == 0) {
      match.with(Field.IP_SRC, address(), Field.IP_SRC.prefix(9 + random.nextInt(6)));
    }
    if (random.nextInt(5) < 2) {
      match.with(Field.IN_PORT, inPort());
    }
    if (random.nextInt(4) == 0) {
      match.withPort(random.nextInt(4) == 0 ? Field.UDP : Field.TCP, port());
    }
  }

  private long inPort() {
    return 1L + random.nextInt(3);
  }

  private long mac() {
    return MACS + random.nextInt(24);
  }

  private long tag() {
    return Field.TAGGED | 5 + random.nextInt(3);
  }

  /** Few networks, so that rules overlap, and all addresses in them. */
  private long address() {
    return NET | (long) random.nextInt(16) << 20 | random.nextInt(1 << 20);
  }

  private long port() {
    return 80L + random.nextInt(3);
  }

  /** A packet: any, or one around the edges of a rule or of two that overlap. */
  Header packet(LogicalTable table) {
    Header header = any();
    int rules = table.size();
    if (rules > 0 && random.nextInt(4) > 0) {
      into(header, table.get(random.nextInt(rules)).match);
      if (random.nextBoolean()) {
        into(header, table.get(random.nextInt(rules)).match);
      }
      if (random.nextInt(3) == 0) {
        step(header);
      }
    }
    return header;
  }

  private Header any() {
    int kind = random.nextInt(16);
    boolean ip = kind > 2;
    long other = kind == 1 && mark == WantedRule.Mark.PORT ? Field.IPV6 : Field.ARP;
    Header header =
        new Header()
            .set(Field.IN_PORT, inPort())
            .set(Field.ETH_DST, mac())
            .set(Field.ETH_SRC, mac())
            .set(Field.VLAN, random.nextInt(3) == 0 ? tag() : 0)
            .set(Field.ETH_TYPE, ip ? Field.IPV4 : kind == 0 ? Field.LLDP : other);
    if (ip) {
      header
          .set(Field.PROTOCOL, random.nextInt(4) == 0 ? Field.UDP : Field.TCP)
          .set(Field.IP_SRC, address())
          .set(Field.IP_DST, random.nextInt(8) == 0 ? random.nextInt() & 0xffff_ffffL : address())
          .set(Field.PORT_SRC, 1024 + random.nextInt(4))
          .set(Field.PORT_DST, random.nextInt(4) == 0 ? random.nextInt(1 << 16) : port());
    }
    return header;
  }

  /** Makes a packet one of a rule's: at the lower or upper edge of its ranges, or between. */
  private void into(Header header, Match match) {
    int edge = random.nextInt(3);
    for (Field field : Field.values()) {
      long free = field.full() & ~match.mask(field);
      if (match.has(field)) {
        long rest = edge == 0 ? 0 : edge == 1 ? free : header.get(field) & free;
        header.set(field, match.value(field) | rest);
      }
    }
    if (header.get(Field.ETH_TYPE) != Field.IPV4) {
      for (Field field : Field.values()) {
        if (field.index() >= Field.IP_SRC.index()) {
          header.set(field, 0);
        }
      }
    }
  }

  /** One step across the edge of whatever range, in one field. */
  private void step(Header header) {
    int by = random.nextBoolean() ? 1 : -1;
    switch (random.nextInt(6)) {
      case 0 -> header.set(Field.IN_PORT, inPort());
      case 1 -> header.set(Field.ETH_DST, mac());
      case 2 -> header.set(Field.VLAN, header.get(Field.VLAN) == 0 ? tag() : 0);
      case 3 -> move(header, Field.PORT_DST, by);
      case 4 -> move(header, Field.IP_SRC, by);
      default -> move(header, Field.IP_DST, by);
    }
  }

  private static void move(Header header, Field field, int by) {
    if (header.get(Field.ETH_TYPE) == Field.IPV4) {
      header.set(field, header.get(field) + by & field.full());
    }
  }
}
