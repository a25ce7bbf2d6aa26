package io.lockstep.core.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares the member lists of the nodes. Those that count are the living nodes, and the nodes that
 * a living one lists and whose list is known from earlier: a node that is down keeps its voice, one
 * that was taken out of all files does not. Pure.
 */
final class MemberListRules {
  private static final String NOTHING = "-";

  private MemberListRules() {}

  /**
   * What a node makes of the lists.
   *
   * @param notReady why the node is not ready; empty where its list is that of the majority
   * @param differences of the nodes' files, in the order of the nodes
   */
  record Verdict(String notReady, List<Difference> differences) {
    Verdict {
      differences = List.copyOf(differences);
    }
  }

  /**
   * Judges.
   *
   * @param self the judging node, which is alive and whose list is {@code own}
   * @param published the lists in the store
   * @param live the living nodes
   */
  static Verdict judge(
      String self, MemberList own, Map<String, MemberList> published, Set<String> live) {
    Map<String, MemberList> counted = counted(self, own, published, live);
    MemberList agreed = majority(counted);
    MemberList reference = agreed == null ? own : agreed;
    List<Difference> differences = new ArrayList<>();
    counted.forEach((node, list) -> differences.addAll(differences(node, list, reference)));
    if (agreed == null) {
      return new Verdict(
          "the nodes' files list members differently, none as a majority does",
          limited(differences));
    }
    return new Verdict(
        own.agrees(agreed)
            ? ""
            : "its file lists members differently from the majority: "
                + first(differences(self, own, agreed)),
        limited(differences));
  }

  private static String first(List<Difference> differences) {
    Difference one = differences.get(0);
    return one.place() + ": file " + one.here() + ", majority " + one.cluster();
  }

  private static List<Difference> limited(List<Difference> all) {
    return all.subList(0, Math.min(Difference.MAX_LISTED, all.size()));
  }

  private static Map<String, MemberList> counted(
      String self, MemberList own, Map<String, MemberList> published, Set<String> live) {
    Map<String, MemberList> all = new TreeMap<>(published);
    all.put(self, own);
    Set<String> voices = new TreeSet<>(live);
    voices.add(self);
    for (String node : List.copyOf(voices)) {
      MemberList list = all.get(node);
      if (list != null) {
        for (ListedProcess one : list.processes()) {
          if (one.kind() == ListedProcess.Kind.NODE) {
            voices.add(one.id());
          }
        }
      }
    }
    Map<String, MemberList> counted = new TreeMap<>(all);
    counted.keySet().retainAll(voices);
    return counted;
  }

  private static @Nullable MemberList majority(Map<String, MemberList> counted) {
    for (MemberList candidate : counted.values()) {
      long same = counted.values().stream().filter(candidate::agrees).count();
      if (2 * same > counted.size()) {
        return candidate;
      }
    }
    return null;
  }

  /** Where a node's list differs from another, process by process. */
  static List<Difference> differences(String node, MemberList list, MemberList reference) {
    Map<String, String> here = places(list);
    Map<String, String> there = places(reference);
    Set<String> names = new LinkedHashSet<>(here.keySet());
    names.addAll(there.keySet());
    List<Difference> differences = new ArrayList<>();
    for (String name : names) {
      String mine = here.getOrDefault(name, NOTHING);
      String theirs = there.getOrDefault(name, NOTHING);
      if (!mine.equals(theirs)) {
        differences.add(new Difference(node, list.file(), name, mine, theirs));
      }
    }
    return differences;
  }

  private static Map<String, String> places(MemberList list) {
    Map<String, String> places = new LinkedHashMap<>();
    list.processes().forEach(one -> places.put(one.name(), one.where()));
    return places;
  }
}
