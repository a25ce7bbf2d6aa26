package io.lockstep.demo;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Whether members of the same weight took their turns: of as many neighbouring places as an epoch
 * has members, each has one at most. Pure.
 */
final class TakenOrder {
  private TakenOrder() {}

  /** Which member a connection took, and where that stands in the order of its pool. */
  record Take(String member, long epoch, long place) {}

  /** How many places are there twice, or belong to a member whose turn it was not. */
  static int wrong(List<Take> takes) {
    Map<Long, TreeMap<Long, String>> epochs = new HashMap<>();
    int wrong = 0;
    for (Take take : takes) {
      TreeMap<Long, String> epoch = epochs.computeIfAbsent(take.epoch(), first -> new TreeMap<>());
      wrong += epoch.put(take.place(), take.member()) == null ? 0 : 1;
    }
    for (TreeMap<Long, String> epoch : epochs.values()) {
      int members = new HashSet<>(epoch.values()).size();
      for (Map.Entry<Long, String> last : epoch.entrySet()) {
        Set<String> seen = new HashSet<>();
        for (String member :
            epoch.subMap(last.getKey() - members + 1, last.getKey() + 1).values()) {
          wrong += seen.add(member) ? 0 : 1;
        }
      }
    }
    return wrong;
  }
}
