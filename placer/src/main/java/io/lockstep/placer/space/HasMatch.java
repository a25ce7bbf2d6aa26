package io.lockstep.placer.space;

/** Gives an {@link OverlapIndex} the match by which the index finds an item. */
public interface HasMatch {
  /** What it matches; never changes. */
  TernaryMatch match();
}
