package io.lockstep.placer;

/** What the placer answers: how it is done, or why it is not. */
public sealed interface Outcome permits Plan, Refusal {}
