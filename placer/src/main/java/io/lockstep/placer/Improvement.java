package io.lockstep.placer;

import org.jspecify.annotations.Nullable;

/**
 * A slice of an improvement.
 *
 * @param plan moves of rules, invisible to packets; without steps where this slice found none
 * @param next where the next slice begins; null where this is the last one
 */
public record Improvement(Plan plan, @Nullable ImprovementPosition next) {}
