package io.lockstep.bench.drawing;

import org.jspecify.annotations.Nullable;

/**
 * One value of a figure.
 *
 * @param figure number of the paper's figure, or table2
 * @param profile the emulated switch, with what was set where figures differ in it
 * @param x the value's place: a number, or the name of a bar
 * @param paper what the paper says; null where its text does not
 */
public record FigurePoint(
    String figure, String profile, Object x, double value, String unit, @Nullable Double paper) {}
