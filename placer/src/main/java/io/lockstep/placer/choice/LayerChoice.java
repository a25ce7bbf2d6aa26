package io.lockstep.placer.choice;

/** A way to choose the rules of a layer. Pure. */
@FunctionalInterface
public interface LayerChoice {
  /** Selects the rules of a layer. */
  Selection choose(LayerProblem problem);
}
