package io.lockstep.core.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Which switch belongs to which domain, and the order of preferred masters of each domain. A switch
 * is in one domain at most. The ranges of a domain are in ascending order, and adjacent ones are
 * merged, so equal maps have equal encodings. Pure, immutable, thread-safe.
 */
public final class DomainMap {
  /** Domains of a map. */
  public static final int MAX_DOMAINS = 1_024;

  /** Ranges of all domains together; a switch that is listed alone is a range, too. */
  public static final int MAX_RANGES = 32_768;

  /** Preferred masters of one domain. */
  public static final int MAX_MASTERS = 64;

  private static final Comparator<Long> UNSIGNED = Long::compareUnsigned;

  /** Longest encoding in bytes: a value of the store, less the rest of its record. */
  public static final int MAX_BYTES = (1 << 20) - 64;

  /** A map without domains. */
  public static final DomainMap EMPTY = new DomainMap(List.of(), new TreeMap<>());

  private static final int COUNT_BYTES = 3;

  private final List<DomainConfig> domains;
  private final Map<String, DomainConfig> byName = new HashMap<>();

  /** First datapath id of each range, in unsigned order. */
  private final NavigableMap<Long, Owned> ranges;

  private record Owned(DpidRange range, DomainConfig domain) {}

  private DomainMap(List<DomainConfig> domains, NavigableMap<Long, Owned> ranges) {
    this.domains = List.copyOf(domains);
    this.ranges = ranges;
    domains.forEach(domain -> byName.put(domain.name(), domain));
  }

  /**
   * A map of these domains.
   *
   * @throws IllegalArgumentException where a bound or a rule is broken; names the place, for
   *     example {@code domains[1].switches[0]}
   */
  public static DomainMap of(List<DomainConfig> domains) {
    refuseIf(domains.size() > MAX_DOMAINS, "domains", "more than " + MAX_DOMAINS + " domains");
    Set<String> names = new HashSet<>();
    TreeMap<Long, Owned> given = new TreeMap<>(UNSIGNED);
    int count = 0;
    int bytes = COUNT_BYTES;
    for (int i = 0; i < domains.size(); i++) {
      DomainConfig domain = domains.get(i);
      String place = "domains[" + i + "]";
      refuseIf(!names.add(domain.name()), place, "'" + domain.name() + "' is there twice");
      refuseIf(domain.dpids().isEmpty(), place + ".switches", "no switch");
      checkMasters(domain.preferredMasters(), place + ".masters");
      count += domain.dpids().size();
      refuseIf(count > MAX_RANGES, place + ".switches", "more than " + MAX_RANGES + " ranges");
      bytes += bytes(domain);
      refuseIf(bytes > MAX_BYTES, place, "more than " + MAX_BYTES + " bytes in all domains");
      for (int j = 0; j < domain.dpids().size(); j++) {
        add(given, domain.dpids().get(j), domain, place + ".switches[" + j + "]");
      }
    }
    return ordered(domains, given);
  }

  /** What a domain takes in {@link DomainsTable}, or a few bytes more. */
  private static int bytes(DomainConfig domain) {
    int bytes = 1 + domain.name().length() + 2 * COUNT_BYTES;
    for (String master : domain.preferredMasters()) {
      bytes += 1 + master.length();
    }
    return bytes + domain.dpids().size() * 2 * Long.BYTES;
  }

  private static void checkMasters(List<String> masters, String place) {
    refuseIf(masters.size() > MAX_MASTERS, place, "more than " + MAX_MASTERS + " nodes");
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < masters.size(); i++) {
      String at = place + "[" + i + "]";
      refuseIf(!NameSyntax.valid(masters.get(i)), at, "'" + masters.get(i) + "' is not a node id");
      refuseIf(!seen.add(masters.get(i)), at, "'" + masters.get(i) + "' is there twice");
    }
  }

  private static void add(
      NavigableMap<Long, Owned> given, DpidRange range, DomainConfig domain, String place) {
    Map.Entry<Long, Owned> below = given.floorEntry(range.last());
    if (below != null && range.overlaps(below.getValue().range())) {
      String owner = below.getValue().domain().name();
      refuseIf(true, place, "'" + range + "' overlaps with switches of domain '" + owner + "'");
    }
    given.put(range.first(), new Owned(range, domain));
  }

  /** Orders and merges the ranges, which do not overlap. */
  private static DomainMap ordered(List<DomainConfig> domains, NavigableMap<Long, Owned> given) {
    Map<String, List<DpidRange>> merged = new HashMap<>();
    for (Owned owned : given.values()) {
      List<DpidRange> of = merged.computeIfAbsent(owned.domain().name(), name -> new ArrayList<>());
      DpidRange last = of.isEmpty() ? null : of.get(of.size() - 1);
      if (last != null && last.last() + 1 == owned.range().first()) {
        of.set(of.size() - 1, new DpidRange(last.first(), owned.range().last()));
      } else {
        of.add(owned.range());
      }
    }
    List<DomainConfig> result = new ArrayList<>();
    TreeMap<Long, Owned> ranges = new TreeMap<>(UNSIGNED);
    for (DomainConfig domain : domains) {
      DomainConfig inOrder =
          new DomainConfig(
              domain.name(),
              Objects.requireNonNull(merged.get(domain.name())),
              domain.preferredMasters());
      result.add(inOrder);
      for (DpidRange range : inOrder.dpids()) {
        ranges.put(range.first(), new Owned(range, inOrder));
      }
    }
    return new DomainMap(result, ranges);
  }

  private static void refuseIf(boolean broken, String place, String message) {
    if (broken) {
      throw new IllegalArgumentException(place + ": " + message);
    }
  }

  /** The domains in the order in which they were given. */
  public List<DomainConfig> domains() {
    return domains;
  }

  /** The domain of a switch, or null where no domain contains it. */
  public @Nullable DomainConfig domainOf(long dpid) {
    Map.Entry<Long, Owned> below = ranges.floorEntry(dpid);
    return below != null && below.getValue().range().contains(dpid)
        ? below.getValue().domain()
        : null;
  }

  /** The domain of this name, or null. */
  public @Nullable DomainConfig named(String name) {
    return byName.get(name);
  }

  /** Whether a switch belongs to the same domain, or to none, in both maps. */
  public boolean agrees(DomainMap other, long dpid) {
    return nameOf(dpid).equals(other.nameOf(dpid));
  }

  private String nameOf(long dpid) {
    DomainConfig domain = domainOf(dpid);
    return domain == null ? "" : domain.name();
  }

  /**
   * This map with some switches in another domain.
   *
   * @param domain null takes them out of all domains
   * @throws IllegalArgumentException where there is no domain of this name, one would be left
   *     without a switch, or a bound is broken
   */
  public DomainMap with(DpidRange switches, @Nullable String domain) {
    refuseIf(
        domain != null && named(domain) == null, "domain", "there is no domain '" + domain + "'");
    List<DomainConfig> changed = new ArrayList<>();
    for (DomainConfig one : domains) {
      List<DpidRange> left = new ArrayList<>();
      one.dpids().forEach(range -> left.addAll(range.without(switches)));
      if (one.name().equals(domain)) {
        left.add(switches);
      }
      refuseIf(left.isEmpty(), "domain", "'" + one.name() + "' would have no switch left");
      changed.add(new DomainConfig(one.name(), left, one.preferredMasters()));
    }
    return of(changed);
  }

  /**
   * This map with an order of masters where a domain names none: the nodes in the order of their
   * ids, each domain beginning one node later than the one before it.
   *
   * @param nodes ids, at least one
   */
  public DomainMap withMasters(Set<String> nodes) {
    List<String> ids = nodes.stream().sorted().limit(MAX_MASTERS).toList();
    List<DomainConfig> filled = new ArrayList<>();
    UnaryOperator<List<String>> shifted =
        masters -> {
          List<String> order = new ArrayList<>();
          for (int i = 0; i < ids.size(); i++) {
            order.add(ids.get((filled.size() + i) % ids.size()));
          }
          return masters.isEmpty() ? order : masters;
        };
    for (DomainConfig domain : domains) {
      filled.add(
          new DomainConfig(
              domain.name(), domain.dpids(), shifted.apply(domain.preferredMasters())));
    }
    return of(filled);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DomainMap map && domains.equals(map.domains);
  }

  @Override
  public int hashCode() {
    return domains.hashCode();
  }

  @Override
  public String toString() {
    return domains.toString();
  }
}
