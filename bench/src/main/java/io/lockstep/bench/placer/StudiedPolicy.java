package io.lockstep.bench.placer;

import io.lockstep.placer.WeightedRule;
import io.lockstep.placer.choice.Policy;
import io.lockstep.placer.profile.SwitchProfile;
import java.util.List;
import java.util.Locale;

/** What a study compares, on the same rules with the same room. */
enum StudiedPolicy {
  /** The best of all subsets with the cheapest covers of single rules, by {@link BestSubset}. */
  OPTIMUM,
  /** The placer's own choice for the whole set. */
  PLACER,
  /** Greedy by covers, one of the placer's parts. */
  COVER_ONLY,
  /** Greedy by closures, one of the placer's parts. */
  CLOSURE_ONLY,
  /** Safe, by arrival, without covers: what finds no room drives out what it overlaps. */
  FIRST_COME,
  /** The placer, rule by rule, before it knows any traffic. */
  ARRIVAL,
  /** Greedy on residual dependencies, by {@link ResidualGreedy}. */
  RESIDUAL_GREEDY;

  /** Packets that are looked at for other policies than the placer's own, for each point. */
  private static final long FEWER_PACKETS = 10_000;

  /** What came out for one set. */
  record SetResult(
      double hardwareTrafficShare, long flowMods, long packets, long mismatches, double millis) {}

  /** The most packets worth looking at for one point. */
  long packets(long wanted) {
    return this == PLACER ? wanted : Math.min(wanted, FEWER_PACKETS);
  }

  /**
   * Fills a switch by this policy.
   *
   * @param changes afterwards, by the placer's own policy only
   * @param packets to look at
   */
  SetResult run(
      SwitchProfile profile, List<WeightedRule> wanted, int changes, long packets, long seed) {
    return switch (this) {
      case OPTIMUM -> referenced(profile, wanted, packets, seed);
      case RESIDUAL_GREEDY -> referenced(profile, wanted, packets, seed);
      case ARRIVAL -> result(new PlacerRun(profile, Policy.PLACER, wanted, seed).arrive(packets));
      case PLACER ->
          result(new PlacerRun(profile, Policy.PLACER, wanted, seed).run(changes, packets));
      case COVER_ONLY ->
          result(new PlacerRun(profile, Policy.COVER_ONLY, wanted, seed).run(0, packets));
      case CLOSURE_ONLY ->
          result(new PlacerRun(profile, Policy.CLOSURE_ONLY, wanted, seed).run(0, packets));
      case FIRST_COME ->
          result(new PlacerRun(profile, Policy.FIRST_COME, wanted, seed).run(0, packets));
    };
  }

  private static SetResult result(PlacerRun run) {
    return new SetResult(
        run.hardwareTrafficShare(), run.flowMods(), run.packets(), run.mismatches(), run.millis());
  }

  private SetResult referenced(
      SwitchProfile profile, List<WeightedRule> wanted, long packets, long seed) {
    long before = System.nanoTime();
    ReferenceProblem problem = new ReferenceProblem(profile, wanted);
    ReferenceChoice choice = this == OPTIMUM ? BestSubset.of(problem) : ResidualGreedy.of(problem);
    double millis = (System.nanoTime() - before) / 1e6;
    return new SetResult(
        choice.hardwareTrafficShare(),
        choice.rules().cardinality() + choice.covers().cardinality(),
        packets,
        choice.mismatches(profile, (int) packets, seed),
        millis);
  }

  /** The name in results. */
  String label() {
    return label(this);
  }

  /** In camel case, as keys of results are. */
  static String label(Enum<?> value) {
    StringBuilder text = new StringBuilder();
    for (String word : value.name().toLowerCase(Locale.ROOT).split("_", -1)) {
      text.append(
          text.isEmpty()
              ? word
              : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }
    return text.toString();
  }
}
