package io.lockstep.placer;

/**
 * A rule with its traffic.
 *
 * @param rule of an application
 * @param weight its traffic in whatever unit, aged; not negative
 */
public record Wanted(Rule rule, double weight) {}
