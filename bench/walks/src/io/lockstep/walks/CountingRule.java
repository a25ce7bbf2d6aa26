package io.lockstep.walks;

import io.lockstep.walks.Window.Call;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Which files of the recorded calls count; the rule of docs/adr/0021-counting-walks.md. */
final class CountingRule {
  private static final String ROOT = "io/lockstep/";
  private static final int REPETITIONS_PERCENT = 90;

  private final Walk walk;
  private final Map<String, Integer> places = new TreeMap<>();
  private final Set<String> working = new HashSet<>();
  private final Map<String, Set<String>> called = new HashMap<>();

  private CountingRule(Walk walk) {
    this.walk = walk;
  }

  /** Counts the files of a walk over all its repetitions. */
  static WalkedFiles count(Walk walk, List<Window> repetitions) {
    Map<Call, List<Integer>> places = new HashMap<>();
    for (Window repetition : repetitions) {
      repetition
          .calls(walk.withStateMachine())
          .forEach(
              (call, place) -> places.computeIfAbsent(call, c -> new ArrayList<>()).add(place));
    }
    CountingRule rule = new CountingRule(walk);
    places.forEach(
        (call, found) -> {
          if (found.size() * 100 >= repetitions.size() * REPETITIONS_PERCENT) {
            rule.add(call, median(found));
          }
        });
    return rule.files();
  }

  private static int median(List<Integer> places) {
    Collections.sort(places);
    return places.get(places.size() / 2);
  }

  private void add(Call call, int place) {
    ProductMethod callee = Recorder.method(call.callee());
    String file = fileOf(callee);
    if (!walk.covers(file)) {
      return;
    }
    places.merge(file, place, Math::min);
    if (!callee.works()) {
      return;
    }
    working.add(file);
    if (call.caller() != CallStack.OUTSIDE) {
      String from = fileOf(Recorder.method(call.caller()));
      if (!from.equals(file)) {
        called.computeIfAbsent(from, f -> new HashSet<>()).add(file);
      }
    }
  }

  private static String fileOf(ProductMethod method) {
    return method.file().substring(ROOT.length());
  }

  private WalkedFiles files() {
    List<String> inOrder = new ArrayList<>(places.keySet());
    inOrder.sort(Comparator.comparing(places::get));
    Set<String> onTheWay = new HashSet<>(working);
    // The files in the values are working files: add() puts in no others.
    onTheWay.retainAll(called.keySet());
    return new WalkedFiles(inOrder, working, onTheWay);
  }
}
