package io.lockstep.apps.loadbalancer.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether the connections of one pool took their members in the exact order: in each epoch no place
 * is there twice, and each window of the sum of weights holds each member its weight times at most,
 * so a whole one exactly. Reads records of connections only, not the code that makes the order.
 * Pure.
 *
 * @param epochs how many there were
 * @param missing places up to the last one that no record has: takes of connections that were
 *     forgotten since, or whose outcome is unknown. Places go on from epoch to epoch
 * @param wrong what contradicts the order; empty where nothing does
 */
public record OrderCheck(int epochs, long missing, List<String> wrong) {
  private static final int MOST_WRONG = 10;

  public OrderCheck {
    wrong = List.copyOf(wrong);
  }

  /**
   * Checks records.
   *
   * @param records of connections to virtual IPs with one pool
   * @param weights of its members, the same in all epochs
   */
  public static OrderCheck of(Collection<ConnectionRecord> records, Map<String, Integer> weights) {
    Map<Long, TreeMap<Long, String>> epochs = new TreeMap<>();
    List<String> wrong = new ArrayList<>();
    for (ConnectionRecord record : records) {
      TreeMap<Long, String> epoch =
          epochs.computeIfAbsent(record.epoch(), number -> new TreeMap<>());
      String other = epoch.put(record.place(), record.member());
      if (other != null) {
        wrong.add("place " + record.place() + " of epoch " + record.epoch() + " is there twice");
      }
    }
    long last = 0;
    long there = 0;
    for (Map.Entry<Long, TreeMap<Long, String>> epoch : epochs.entrySet()) {
      if (epoch.getValue().firstKey() <= last) {
        wrong.add("epoch " + epoch.getKey() + " begins before the end of the one before");
      }
      last = epoch.getValue().lastKey();
      there += epoch.getValue().size();
      checkWindows(epoch.getKey(), epoch.getValue(), weights, wrong);
    }
    return new OrderCheck(
        epochs.size(), last - there, wrong.subList(0, Math.min(MOST_WRONG, wrong.size())));
  }

  private static void checkWindows(
      long epoch, TreeMap<Long, String> places, Map<String, Integer> weights, List<String> wrong) {
    Set<String> members = new HashSet<>(places.values());
    int length = members.stream().mapToInt(member -> weights.getOrDefault(member, 1)).sum();
    Map<String, Integer> counts = new HashMap<>();
    for (Map.Entry<Long, String> place : places.entrySet()) {
      @Nullable String left = places.get(place.getKey() - length);
      if (left != null) {
        counts.merge(left, -1, Integer::sum);
      }
      int count = counts.merge(place.getValue(), 1, Integer::sum);
      if (count > weights.getOrDefault(place.getValue(), 1)) {
        wrong.add(
            place.getValue()
                + " has "
                + count
                + " of the "
                + length
                + " places up to "
                + place.getKey()
                + " of epoch "
                + epoch);
      }
    }
  }
}
