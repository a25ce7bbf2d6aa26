package io.lockstep.bench.network;

import java.util.List;
import java.util.function.Supplier;

/**
 * What a phase waits for. Both questions give the names of what is missing, none where all is
 * there.
 *
 * @param what is missing, for example {@code switches without a master}
 * @param atSwitches asks the emulated switches, which costs the nodes nothing; so it is asked often
 * @param atNodes asks the nodes; only where nothing is missing at the switches
 */
record Goal(String what, Supplier<List<String>> atSwitches, Supplier<List<String>> atNodes) {
  private static final int NAMED = 5;

  /** What is said of a goal that was not reached: how many are missing, and the first of them. */
  String complaint(List<String> missing) {
    String named = String.join(", ", missing.subList(0, Math.min(NAMED, missing.size())));
    int more = missing.size() - NAMED;
    return missing.size() + " " + what + ": " + named + (more > 0 ? " and " + more + " more" : "");
  }
}
