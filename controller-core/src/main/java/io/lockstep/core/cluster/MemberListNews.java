package io.lockstep.core.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Words the log lines about member lists that differ: each difference once, however long it lasts
 * and however often this node becomes ready and unready meanwhile. Used by one thread.
 */
final class MemberListNews {
  private Set<Difference> known = Set.of();
  private String notReady = "";

  /** The line that the next verdict is worth; empty where it says nothing new. */
  String next(MemberListRules.Verdict verdict) {
    List<String> parts = new ArrayList<>();
    String before = notReady;
    notReady = verdict.notReady();
    if (!notReady.equals(before)) {
      parts.add(
          notReady.isEmpty()
              ? "this node's list is that of the majority"
              : "not ready: " + notReady);
    }
    Set<Difference> had = known;
    known = Set.copyOf(verdict.differences());
    if (known.isEmpty()) {
      return had.isEmpty() ? "" : "the nodes' files list the same members";
    }
    List<Difference> added =
        verdict.differences().stream().filter(one -> !had.contains(one)).toList();
    if (!added.isEmpty() && parts.isEmpty()) {
      parts.add("files list members differently");
    }
    for (Difference one : added) {
      String file = one.file().isEmpty() ? "" : " " + one.file();
      String where = one.node() + "'s file" + file + ": " + one.place();
      parts.add(where + ": " + one.here() + ", others " + one.cluster());
    }
    return String.join("; ", parts);
  }
}
