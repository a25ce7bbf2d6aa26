/**
 * Selects the rules of a layer: a knapsack problem whose items have dependencies. It works on
 * numbered rules, and knows neither matches nor switches. Pure and deterministic.
 */
@NullMarked
package io.lockstep.placer.choice;

import org.jspecify.annotations.NullMarked;
