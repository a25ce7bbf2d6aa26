package io.lockstep.history.mixed.load;

import io.lockstep.history.mixed.Step;

/** Draws what one client asks for. Used by its loop only. */
interface Script {
  /** The next step. */
  Ask next();

  /** It has ended like this. */
  void ended(Step step);
}
