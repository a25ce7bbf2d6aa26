package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.DecisionLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What clients of a scripted cluster have been told, as they count it. */
final class Acknowledgements {

  /** What one replica's reply says; those of a majority make an acknowledgement. */
  private record Vouch(int request, int regency, long instance, String chain) {}

  private final int size;
  private final Map<Vouch, Set<Integer>> vouches = new HashMap<>();
  private final Map<Long, Vouch> acknowledged = new TreeMap<>();

  /**
   * @param size replicas
   */
  Acknowledgements(int size) {
    this.size = size;
  }

  /** A replica's reply. */
  void vouched(int id, Decision decision, int regency, int request) {
    Vouch vouch =
        new Vouch(
            request, regency, decision.instance(), HexFormat.of().formatHex(decision.chain()));
    Set<Integer> same = vouches.computeIfAbsent(vouch, v -> new HashSet<>());
    same.add(id);
    if (same.size() > size / 2) {
      Vouch before = acknowledged.put(decision.instance(), vouch);
      if (before != null && !before.chain.equals(vouch.chain)) {
        throw new AssertionError(vouch + " and " + before + " are both acknowledged");
      }
    }
  }

  boolean has(int request) {
    return acknowledged.values().stream().anyMatch(vouch -> vouch.request == request);
  }

  /** What is acknowledged and not in a history; empty where all is. */
  String lacking(DecisionLog log) {
    try {
      for (Vouch vouch : acknowledged.values()) {
        byte[] chain = log.chainAfter(vouch.instance);
        if (chain == null || !HexFormat.of().formatHex(chain).equals(vouch.chain)) {
          return vouch.toString();
        }
      }
      return "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
