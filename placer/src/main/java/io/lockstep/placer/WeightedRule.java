package io.lockstep.placer;

/**
 * Pairs a rule that an application wants with its traffic.
 *
 * @param rule of an application
 * @param weight its traffic in whatever unit, aged; not negative
 */
public record WeightedRule(Rule rule, double weight) {}
