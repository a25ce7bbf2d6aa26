package io.lockstep.bench.placer;

import org.jspecify.annotations.Nullable;

/**
 * One line of the result: a policy on one kind of rule set. Names of the components are keys.
 *
 * @param rules in each set
 * @param capacityShare entries of the hardware layer for each rule
 * @param traffic zipf or uniform
 * @param path pure where the placer is called alone; product where three nodes place the rules on
 *     an emulated switch
 * @param hardwareTrafficShare of all traffic, mean over the sets
 * @param shareOfOptimum of what the optimum serves, mean over the sets; null where it is not known
 * @param minShareOfOptimum the same of the worst set
 * @param flowMods of filling and all changes, of all sets together
 * @param packetsChecked of all sets together
 * @param mismatches packets treated otherwise than the table says, or steps that do not fit
 * @param millis to plan the filling, mean over the sets
 */
public record PlacerPoint(
    String ruleSet,
    String profile,
    int rules,
    double capacityShare,
    String traffic,
    String path,
    String policy,
    double hardwareTrafficShare,
    @Nullable Double shareOfOptimum,
    @Nullable Double minShareOfOptimum,
    long flowMods,
    long packetsChecked,
    long mismatches,
    double millis) {
  /** The path of the placer alone. */
  static final String PURE = "pure";

  /** The path through three nodes. */
  static final String PRODUCT = "product";

  /** Whether both are of the same rules, switch, room and traffic. */
  boolean isBeside(PlacerPoint other) {
    return ruleSet.equals(other.ruleSet)
        && profile.equals(other.profile)
        && rules == other.rules
        && capacityShare == other.capacityShare
        && traffic.equals(other.traffic)
        && path.equals(other.path);
  }
}
