package io.lockstep.walks;

import java.util.List;
import java.util.Set;

/**
 * The files of one walk, below {@code io/lockstep/}.
 *
 * @param all with an executed method, in the order in which the walk comes to them
 * @param working those of them that do not only carry data
 * @param onTheWay working files that call another working file
 */
record WalkedFiles(List<String> all, Set<String> working, Set<String> onTheWay) {
  WalkedFiles {
    all = List.copyOf(all);
    working = Set.copyOf(working);
    onTheWay = Set.copyOf(onTheWay);
  }

  /** Why a file counts. */
  String reason(String file) {
    if (onTheWay.contains(file)) {
      return "on the way";
    }
    return working.contains(file) ? "working" : "data";
  }
}
