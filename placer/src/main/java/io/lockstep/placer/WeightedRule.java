package io.lockstep.placer;

/**
 * Pairs a rule that an application wants with its traffic.
 *
 * @param rule of an application
 * @param weight its traffic, aged, in the unit of all weights of one placer; not negative
 */
public record WeightedRule(Rule rule, double weight) {}
