package io.lockstep.placer;

import io.lockstep.placer.choice.LayerChoice;
import io.lockstep.placer.choice.Policy;
import io.lockstep.store.Bytes;
import java.util.function.ToIntFunction;

/**
 * Options of the placer.
 *
 * @param policy that fills a layer
 * @param coversForNewRule the most covers that a new rule may cost in a layer; beyond that it goes
 *     to a later layer
 * @param hysteresis the part of the moved traffic that an exchange must gain
 * @param maxExchanges the most exchanges in one round of improvement
 * @param maxLooks the most looks at rules in one round of improvement, which bounds its time
 * @param shadowSplits the most splits of a match to prove that a rule cannot win a packet
 * @param controllerServes whether the controller serves a rule that fits nowhere else; if not, the
 *     placer refuses the rule
 * @param rewrites the fields that a treatment sets, a bit each: a layer must be able to. Treatments
 *     are in their owner's encoding, so the owner says it. Pure
 * @param aggregatedCovers whether improvement may add covers that are wider than one rule (ADR
 *     0051); those that a switch has are kept in any case
 */
public record PlacerOptions(
    LayerChoice policy,
    int coversForNewRule,
    double hysteresis,
    int maxExchanges,
    long maxLooks,
    int shadowSplits,
    boolean controllerServes,
    ToIntFunction<Bytes> rewrites,
    boolean aggregatedCovers) {
  /** The default options; no treatment sets a field. */
  public static PlacerOptions standard() {
    return new PlacerOptions(Policy.PLACER, 4, 0.2, 8, 50_000, 64, true, treatment -> 0, false);
  }

  public PlacerOptions withPolicy(LayerChoice other) {
    return new PlacerOptions(
        other,
        coversForNewRule,
        hysteresis,
        maxExchanges,
        maxLooks,
        shadowSplits,
        controllerServes,
        rewrites,
        aggregatedCovers);
  }

  public PlacerOptions withControllerServes(boolean serves) {
    return new PlacerOptions(
        policy,
        coversForNewRule,
        hysteresis,
        maxExchanges,
        maxLooks,
        shadowSplits,
        serves,
        rewrites,
        aggregatedCovers);
  }

  public PlacerOptions withRewrites(ToIntFunction<Bytes> ofTreatment) {
    return new PlacerOptions(
        policy,
        coversForNewRule,
        hysteresis,
        maxExchanges,
        maxLooks,
        shadowSplits,
        controllerServes,
        ofTreatment,
        aggregatedCovers);
  }

  public PlacerOptions withMaxExchanges(int exchanges) {
    return new PlacerOptions(
        policy,
        coversForNewRule,
        hysteresis,
        exchanges,
        maxLooks,
        shadowSplits,
        controllerServes,
        rewrites,
        aggregatedCovers);
  }

  public PlacerOptions withAggregatedCovers(boolean aggregated) {
    return new PlacerOptions(
        policy,
        coversForNewRule,
        hysteresis,
        maxExchanges,
        maxLooks,
        shadowSplits,
        controllerServes,
        rewrites,
        aggregated);
  }
}
