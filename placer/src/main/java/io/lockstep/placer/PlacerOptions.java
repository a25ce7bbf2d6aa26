package io.lockstep.placer;

import io.lockstep.placer.choice.Policy;

/**
 * How the placer goes about it.
 *
 * @param policy that fills a layer
 * @param coversForNewRule that a new rule may cost in a layer before it goes to a later one
 * @param hysteresis an exchange must gain this part of the traffic that it moves out
 * @param maxExchanges in one round of improvement
 * @param maxLooks at rules in one round of improvement; bounds its time
 * @param shadowSplits how often a match may be split to prove that a rule cannot win a packet
 * @param controllerServes whether a rule that fits nowhere else is served by the controller; else
 *     it is refused
 */
public record PlacerOptions(
    Policy policy,
    int coversForNewRule,
    double hysteresis,
    int maxExchanges,
    long maxLooks,
    int shadowSplits,
    boolean controllerServes) {
  /** What is used where nothing else is said. */
  public static PlacerOptions standard() {
    return new PlacerOptions(Policy.PLACER, 4, 0.2, 8, 50_000, 64, true);
  }

  public PlacerOptions withPolicy(Policy other) {
    return new PlacerOptions(
        other,
        coversForNewRule,
        hysteresis,
        maxExchanges,
        maxLooks,
        shadowSplits,
        controllerServes);
  }

  public PlacerOptions withControllerServes(boolean serves) {
    return new PlacerOptions(
        policy, coversForNewRule, hysteresis, maxExchanges, maxLooks, shadowSplits, serves);
  }
}
