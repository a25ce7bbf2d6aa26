package io.lockstep.placer;

import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds few matches that together contain many. Pure. */
final class AggregateMatches {
  private static final HeaderField[] ADDRESSES = {HeaderField.IPV4_SRC, HeaderField.IPV4_DST};

  /** Fields that are kept where all matches agree on their whole value. */
  private static final HeaderField[] WHOLE = {
    HeaderField.IN_PORT, HeaderField.VLAN_VID, HeaderField.ETH_DST, HeaderField.ETH_SRC
  };

  private static final HeaderField[] PORTS = {HeaderField.L4_SRC, HeaderField.L4_DST};

  private AggregateMatches() {}

  /**
   * The narrowest match of a simple form that contains two others: exact values, and prefixes of
   * IPv4 addresses. A field stays only together with those that OpenFlow requires beside it.
   */
  static TernaryMatch hull(TernaryMatch one, TernaryMatch other) {
    TernaryMatch hull = TernaryMatch.any();
    for (HeaderField field : WHOLE) {
      hull = keepWhole(hull, field, one, other);
    }
    hull = keepWhole(hull, HeaderField.ETH_TYPE, one, other);
    if (hull.mask(HeaderField.ETH_TYPE) == 0) {
      return hull;
    }
    for (HeaderField field : ADDRESSES) {
      long same = one.mask(field) & other.mask(field) & ~(one.value(field) ^ other.value(field));
      int bits = Long.numberOfLeadingZeros(~same << (Long.SIZE - field.widthBits()));
      hull = hull.withPrefix(field, one.value(field), Math.min(bits, field.widthBits()));
    }
    hull = keepWhole(hull, HeaderField.IP_PROTO, one, other);
    if (hull.mask(HeaderField.IP_PROTO) != 0) {
      for (HeaderField field : PORTS) {
        hull = keepWhole(hull, field, one, other);
      }
    }
    return hull;
  }

  private static TernaryMatch keepWhole(
      TernaryMatch hull, HeaderField field, TernaryMatch one, TernaryMatch other) {
    boolean whole = one.mask(field) == field.full() && other.mask(field) == field.full();
    return whole && one.value(field) == other.value(field)
        ? hull.with(field, one.value(field))
        : hull;
  }

  /** A group of neighbours in the order of addresses. */
  private static final class Group {
    private TernaryMatch match;
    private @Nullable Group next;

    /** The part of all packets that the hull of this group and the next one matches. */
    private double cost;

    Group(TernaryMatch match) {
      this.match = match;
    }

    private void price() {
      cost =
          next == null
              ? Double.POSITIVE_INFINITY
              : Aggregates.partTaken(hull(match, next.match), TernaryMatch.any());
    }
  }

  /**
   * Groups matches, and gives the hulls of the groups.
   *
   * @param first the address by which neighbours are found
   * @param counts numbers of groups, descending
   * @return a list of hulls for each number
   */
  static List<Set<TernaryMatch>> grouped(
      List<TernaryMatch> matches, HeaderField first, int[] counts) {
    HeaderField second = first == ADDRESSES[0] ? ADDRESSES[1] : ADDRESSES[0];
    List<TernaryMatch> ordered = new ArrayList<>(matches);
    ordered.sort(
        Comparator.<TernaryMatch>comparingLong(match -> match.value(HeaderField.ETH_TYPE))
            .thenComparingLong(match -> match.value(first))
            .thenComparingLong(match -> match.value(second)));
    List<Group> groups = new ArrayList<>();
    for (TernaryMatch match : ordered) {
      Group group = new Group(hull(match, match));
      if (!groups.isEmpty()) {
        groups.get(groups.size() - 1).next = group;
      }
      groups.add(group);
    }
    groups.forEach(Group::price);
    List<Set<TernaryMatch>> found = new ArrayList<>();
    for (int count : counts) {
      while (groups.size() > count) {
        merge(groups);
      }
      Set<TernaryMatch> hulls = new LinkedHashSet<>();
      groups.forEach(group -> hulls.add(group.match));
      hulls.removeIf(
          narrow -> hulls.stream().anyMatch(wide -> !wide.equals(narrow) && wide.covers(narrow)));
      found.add(hulls);
    }
    return found;
  }

  /** Merges the two neighbours with the narrowest hull. */
  private static void merge(List<Group> groups) {
    int at = 0;
    for (int i = 1; i + 1 < groups.size(); i++) {
      at = groups.get(i).cost < groups.get(at).cost ? i : at;
    }
    Group group = groups.get(at);
    Group gone = groups.remove(at + 1);
    group.match = hull(group.match, gone.match);
    group.next = gone.next;
    group.price();
    if (at > 0) {
      groups.get(at - 1).price();
    }
  }
}
