package io.lockstep.core.flow.placed;

import io.lockstep.core.southbound.TableClaims;
import io.lockstep.core.southbound.TableClaims.Table;
import io.lockstep.placer.profile.Capacity;
import io.lockstep.placer.profile.Cover;
import io.lockstep.placer.profile.Exactness;
import io.lockstep.placer.profile.LayerKind;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.profile.Overflow;
import io.lockstep.placer.profile.SwitchProfile;
import io.lockstep.placer.space.HeaderField;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A profile out of what a switch says of its tables. Only claims that may be those of hardware make
 * one: a table that holds a bounded number of entries, with fields that go together. Whatever they
 * leave out (rules of different structure that take different room) the placer learns when the
 * switch refuses. Pure.
 */
final class ClaimedTables {
  static final String NAME = "table-features";

  /** No hardware holds more entries than this, not even where it looks exact addresses up. */
  static final long MOST_ENTRIES = 1 << 18;

  /** No TCAM, which masks several fields at once, holds more entries than this. */
  static final long MOST_MASKED_ENTRIES = 1 << 14;

  /**
   * The name of a kind of table (HP and H3C) whose entries count only where a later table lets
   * them: adr/0048.
   */
  private static final Pattern MAC_IP = Pattern.compile("(?i)mac.?ip");

  private static final int FEWEST_ENTRIES = 4;
  private static final int MAX_FLOW_MODS_PER_CHANGE = 64;
  private static final int MOST_RESERVE = 64;
  private static final int RESERVE_SHARE = 32;

  private static final int ARP = bits(HeaderField.ARP_OP, HeaderField.ARP_SPA, HeaderField.ARP_TPA);
  private static final int IPV4 = bits(HeaderField.IPV4_SRC, HeaderField.IPV4_DST);
  private static final int IPV6 =
      bits(
          HeaderField.IPV6_SRC_HIGH,
          HeaderField.IPV6_SRC_LOW,
          HeaderField.IPV6_DST_HIGH,
          HeaderField.IPV6_DST_LOW);
  private static final int PORTS = bits(HeaderField.L4_SRC, HeaderField.L4_DST);
  private static final int ICMP = bits(HeaderField.ICMP_TYPE, HeaderField.ICMP_CODE);
  private static final int IP =
      IPV4
          | IPV6
          | PORTS
          | ICMP
          | bits(HeaderField.IP_DSCP, HeaderField.IP_ECN, HeaderField.IP_PROTO);

  /** A table without these is a stage for ports or VLANs; it does not forward by address. */
  private static final int DESTINATIONS =
      bits(
          HeaderField.ETH_DST,
          HeaderField.IPV4_DST,
          HeaderField.IPV6_DST_HIGH,
          HeaderField.IPV6_DST_LOW);

  private static final int[][] NOT_TOGETHER = {{ARP, IP}, {IPV4, IPV6}, {PORTS, ICMP}};

  /**
   * The profile that follows from the claims.
   *
   * @param profile empty where they make none
   * @param reason why this profile, or why none; for people
   */
  record Inferred(Optional<SwitchProfile> profile, String reason) {
    private static Inferred nothing(String why) {
      return new Inferred(Optional.empty(), why);
    }
  }

  private ClaimedTables() {}

  private static int bits(HeaderField... fields) {
    int bits = 0;
    for (HeaderField field : fields) {
      bits |= field.bit();
    }
    return bits;
  }

  /**
   * Infers a profile.
   *
   * @param openFlow10 whether the switch divides its tables by itself, as with OpenFlow 1.0
   */
  static Inferred of(TableClaims claims, boolean openFlow10) {
    if (claims.tables().isEmpty()) {
      return Inferred.nothing("it does not describe its tables: " + claims.whyNone());
    }
    for (int i = 0; i < claims.tables().size(); i++) {
      if (claims.tables().get(i).number() != i) {
        return Inferred.nothing("its table features contradict each other: tables are missing");
      }
      String wrong = contradiction(claims.tables().get(i));
      if (!wrong.isEmpty()) {
        return Inferred.nothing(
            "its table features contradict each other: table " + i + " " + wrong);
      }
    }
    if (openFlow10 && claims.tables().size() > 1) {
      return Inferred.nothing(
          "it has " + claims.tables().size() + " tables that OpenFlow 1.0 cannot tell apart");
    }
    List<Table> used = used(claims.tables());
    Table first = claims.tables().get(0);
    if (used.isEmpty() || used.get(0).number() != 0) {
      return Inferred.nothing("its table 0 does not match on destinations");
    }
    if (!bounded(first)) {
      return Inferred.nothing(
          "it claims "
              + first.maxEntries()
              + " entries in table 0; more than "
              + most(first)
              + " that match so are no hardware's");
    }
    return new Inferred(Optional.of(profile(used, openFlow10)), description(used));
  }

  private static long most(Table table) {
    int masked = (table.anyMask() | table.prefixes()) & table.matches();
    return Integer.bitCount(masked) > 1 ? MOST_MASKED_ENTRIES : MOST_ENTRIES;
  }

  private static boolean bounded(Table table) {
    return table.maxEntries() <= most(table);
  }

  /** What a table claims that no table can have; empty where there is no contradiction. */
  private static String contradiction(Table table) {
    if (table.maxEntries() < FEWEST_ENTRIES) {
      return "holds " + table.maxEntries() + " entries";
    }
    int foreign = table.optional() & ~table.matches();
    if (foreign != 0) {
      return "may leave out " + HeaderField.labels(foreign) + " but not match on it";
    }
    int required = table.matches() & ~table.optional();
    for (int[] pair : NOT_TOGETHER) {
      if ((required & pair[0]) != 0 && (required & pair[1]) != 0) {
        return "requires " + HeaderField.labels(required & (pair[0] | pair[1])) + " together";
      }
    }
    if ((table.matches() & (IP | ARP)) != 0
        && (table.matches() & HeaderField.ETH_TYPE.bit()) == 0) {
      return "matches on "
          + HeaderField.labels(table.matches() & (IP | ARP))
          + " but not on eth_type";
    }
    return "";
  }

  /**
   * The tables that rules go to. Each forwards by address, and the one before leads to it. A table
   * that is larger than hardware is the last one.
   */
  private static List<Table> used(List<Table> tables) {
    List<Table> used = new ArrayList<>();
    for (Table table : tables) {
      boolean reached = used.isEmpty() || used.get(used.size() - 1).next().contains(table.number());
      if ((table.matches() & DESTINATIONS) != 0 && reached) {
        used.add(table);
        if (!bounded(table)) {
          return used;
        }
      }
    }
    return used;
  }

  private static SwitchProfile profile(List<Table> used, boolean openFlow10) {
    List<LayerProfile> layers = new ArrayList<>();
    for (int i = 0; i < used.size(); i++) {
      layers.add(layer(used.get(i), i == used.size() - 1));
    }
    return new SwitchProfile(
        NAME,
        openFlow10 ? "1.0" : "1.3",
        true,
        false,
        MAX_FLOW_MODS_PER_CHANGE,
        layers,
        List.of("what the switch says of its tables; that it is true is found out by using them"));
  }

  private static LayerProfile layer(Table table, boolean last) {
    boolean bounded = bounded(table);
    Map<HeaderField, Exactness> exactness = new EnumMap<>(HeaderField.class);
    for (HeaderField field : HeaderField.values()) {
      boolean here = (table.matches() & field.bit()) != 0;
      if (here && (table.prefixes() & field.bit()) != 0) {
        exactness.put(field, Exactness.PREFIX);
      } else if (here && (table.anyMask() & field.bit()) == 0) {
        exactness.put(field, Exactness.EXACT);
      }
    }
    long reserve = Math.min(MOST_RESERVE, 1 + table.maxEntries() / RESERVE_SHARE);
    return new LayerProfile(
        "table" + table.number(),
        table.number(),
        bounded ? LayerKind.HARDWARE : LayerKind.SOFTWARE,
        last || !MAC_IP.matcher(table.name()).find(),
        table.matches(),
        table.matches() & ~table.optional(),
        exactness,
        table.rewrites(),
        Capacity.ofEntries(bounded ? table.maxEntries() : Capacity.UNBOUNDED),
        Overflow.REJECT,
        last ? Cover.CONTROLLER : Cover.GOTO,
        bounded ? (int) reserve : 0);
  }

  private static String description(List<Table> used) {
    StringBuilder text = new StringBuilder("its table features: ");
    for (Table table : used) {
      text.append(table.number() == 0 ? "" : ", ").append("table ").append(table.number());
      text.append(table.name().isEmpty() ? "" : " '" + table.name() + "'").append(" holds ");
      text.append(
          bounded(table)
              ? Long.toString(table.maxEntries())
              : table.maxEntries() + ", more than hardware");
      text.append(MAC_IP.matcher(table.name()).find() ? ", and takes no rules" : "");
    }
    return text.toString();
  }
}
