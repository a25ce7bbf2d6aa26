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
 * Compares the member lists of the processes. Those that count are the living nodes, and the nodes
 * that a living one lists and whose list is known from earlier: a node that is down keeps its
 * voice, one that was taken out of all files does not. A replica in a process of its own has no
 * voice: while it lives its list is compared with what the nodes agree on. Pure.
 */
final class MemberListRules {
  private static final String NOTHING = "-";

  private MemberListRules() {}

  /**
   * What a process makes of the lists.
   *
   * @param notReady why the process is not ready; empty where its list is that of the majority, and
   *     for a replica where it knows of no node's list
   * @param differences of the files, in the order of the processes' names
   */
  record Verdict(String notReady, List<Difference> differences) {
    Verdict {
      differences = List.copyOf(differences);
    }
  }

  /**
   * Judges.
   *
   * @param self the judging node or replica, which is alive and whose list is {@code own}
   * @param published the lists in the store
   * @param live the living nodes and replicas
   */
  static Verdict judge(
      String self, MemberList own, Map<String, MemberList> published, Set<String> live) {
    Map<String, MemberList> all = new TreeMap<>(published);
    all.put(self, own);
    Map<String, MemberList> counted = counted(self, all, live);
    MemberList agreed = majority(counted);
    MemberList reference = agreed == null ? own : agreed;
    Map<String, MemberList> compared = new TreeMap<>(all);
    compared
        .keySet()
        .removeIf(
            name -> !counted.containsKey(name) && !name.equals(self) && !isLiveReplica(name, live));
    List<Difference> differences = new ArrayList<>();
    compared.forEach((name, list) -> differences.addAll(differences(name, list, reference)));
    if (counted.isEmpty()) {
      return new Verdict("", limited(differences));
    }
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

  private static boolean isLiveReplica(String name, Set<String> live) {
    return ListedProcess.isReplicaName(name) && live.contains(name);
  }

  /** The lists of the nodes that have a voice. */
  private static Map<String, MemberList> counted(
      String self, Map<String, MemberList> all, Set<String> live) {
    Set<String> voices = new TreeSet<>(live);
    voices.removeIf(ListedProcess::isReplicaName);
    voices.add(self);
    for (String name : List.copyOf(voices)) {
      MemberList list = all.get(name);
      if (list != null) {
        for (ListedProcess one : list.processes()) {
          if (one.kind() == ListedProcess.Kind.NODE) {
            voices.add(one.id());
          }
        }
      }
    }
    voices.removeIf(ListedProcess::isReplicaName);
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

  /** Where a list differs from another, process by process. */
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
