package io.lockstep.placer.space;

/** Something that matches packets and can be found by what it matches. */
public interface Matched {
  /** What it matches; never changes. */
  TernaryMatch match();
}
