/**
 * Which rules go into a layer: a knapsack whose items bring their dependencies along. Works on
 * numbered rules and knows neither matches nor switches. Pure; deterministic.
 */
@NullMarked
package io.lockstep.placer.choice;

import org.jspecify.annotations.NullMarked;
