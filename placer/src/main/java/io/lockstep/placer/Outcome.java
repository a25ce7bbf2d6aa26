package io.lockstep.placer;

/** The answer of the placer to a change: a plan or a refusal. */
public sealed interface Outcome permits Plan, Refusal {}
